import ZoneKitSchema

/// Policies, privileges and the publication.
extension CatalogueBuilder {
  mutating func create(_ policy: CreatePolicy, at offset: SourceOffset) {
    guard var table = table(policy.table) else { return }
    guard table.view == nil else {
      return refuse("\"\(table.name.name)\" is not a table: a view has no policies", at: policy.table.offset)
    }
    guard table.name.schema == "storage" || BuiltInTables.all[table.name] == nil else {
      return refuse("\(table.name) is a table of the server: it has no policies", at: policy.table.offset)
    }
    if table.policies.contains(where: { $0.name == policy.name }) {
      let message = "policy \"\(policy.name)\" for table \"\(table.name.name)\" already exists"
      return refuse(message, at: offset)
    }
    if policy.command == .insert, policy.using != nil {
      return refuse("only WITH CHECK expression allowed for INSERT", at: offset)
    }
    if policy.command == .select || policy.command == .delete, policy.withCheck != nil {
      return refuse("WITH CHECK cannot be applied to SELECT or DELETE", at: offset)
    }
    for role in policy.roles { check(role, at: offset) }
    for condition in [policy.using, policy.withCheck].compactMap(\.self) { check(condition, of: table, as: "POLICY") }
    guard table.policies.count < Self.policyLimit else {
      return refuse("\(table.name) has more policies: a table has at most \(Self.policyLimit)", at: offset)
    }
    let new = CataloguePolicy(
      name: policy.name, isPermissive: policy.isPermissive, command: policy.command, roles: policy.roles,
      using: policy.using, withCheck: policy.withCheck)
    let index = table.policies.firstIndex { $0.name > new.name } ?? table.policies.count
    table.policies.insert(new, at: index)
    keep(table)
  }

  mutating func alter(_ change: AlterPolicy, at offset: SourceOffset) {
    guard var table = table(change.table) else { return }
    guard let index = table.policies.firstIndex(where: { $0.name == change.name }) else {
      return refuse("policy \"\(change.name)\" for table \"\(table.name.name)\" does not exist", at: offset)
    }
    for role in change.roles ?? [] { check(role, at: offset) }
    for condition in [change.using, change.withCheck].compactMap(\.self) { check(condition, of: table, as: "POLICY") }
    var policy = table.policies[index]
    if let roles = change.roles { policy.roles = roles }
    if let using = change.using { policy.using = using }
    if let withCheck = change.withCheck { policy.withCheck = withCheck }
    if policy.command == .insert, policy.using != nil {
      return refuse("only WITH CHECK expression allowed for INSERT", at: offset)
    }
    if policy.command == .select || policy.command == .delete, policy.withCheck != nil {
      return refuse("WITH CHECK cannot be applied to SELECT or DELETE", at: offset)
    }
    table.policies[index] = policy
    keep(table)
  }

  /// The most policies of a table. The work that a row makes grows with them.
  private static let policyLimit = 1_000

  /// Roles that a server of Supabase has.
  private static let knownRoles = Set(
    TablePrivileges.roles + [
      "postgres", "authenticator", "dashboard_user", "supabase_admin", "supabase_auth_admin", "supabase_storage_admin",
      "supabase_realtime_admin", "supabase_read_only_user", "supabase_replication_admin", "pgbouncer",
    ])

  private mutating func check(_ role: SQLRole, at offset: SourceOffset) {
    guard case .named(let name) = role, !Self.knownRoles.contains(name) else { return }
    refuse("role \"\(name)\" does not exist", at: offset)
  }

  // MARK: Privileges

  mutating func apply(_ grant: GrantStatement) {
    var names: [ObjectName] = []
    switch grant.subject {
    case .tables(let tables):
      for name in tables { if let table = table(name) { names.append(table.name) } }
    case .allTables(let schemas):
      guard schemas.contains(ObjectName.usualSchema) else { return }
      names = catalogue.tables.keys.filter { $0.schema == ObjectName.usualSchema }
    }
    guard isAccepted else { return }
    for name in names where BuiltInTables.all[name] == nil { apply(grant, to: name) }
  }

  /// Gives a new table the privileges that tables have when they are made.
  mutating func applyDefaultPrivileges(to name: ObjectName) {
    for grant in defaultPrivileges {
      guard case .allTables(let schemas) = grant.subject, schemas.isEmpty || schemas.contains(name.schema) else {
        continue
      }
      apply(grant, to: name)
    }
  }

  private mutating func apply(_ grant: GrantStatement, to name: ObjectName) {
    let privileges = grant.privileges.isEmpty ? [GrantStatement.Privilege(nil)] : grant.privileges
    for role in grant.roles.compactMap(\.ofClients) {
      for privilege in privileges {
        catalogue.tables[name]?.privileges.change(
          privilege.name, of: role, isGrant: grant.isGrant, columns: privilege.columns)
      }
    }
  }

  // MARK: The publication

  mutating func publish(_ scope: PublicationScope, at offset: SourceOffset) {
    guard catalogue.published == nil else {
      return refuse("publication \"\(PublicationScope.name)\" already exists", at: offset)
    }
    switch scope {
    case .allTables: catalogue.published = .allTables
    case .tables(let tables):
      catalogue.published = .tables([])
      publish(.add, tables)
      if !isAccepted { catalogue.published = nil }
    }
  }

  mutating func publish(_ change: PublicationChange, _ tables: [SQLName]) {
    var published: Set<ObjectName>
    switch catalogue.published {
    case .allTables:
      let offset = tables.first?.offset ?? SourceOffset(0)
      return refuse("publication \"\(PublicationScope.name)\" is defined as FOR ALL TABLES", at: offset)
    case .tables(let known): published = known
    // A server of Supabase has the publication from the start, without tables.
    case nil: published = []
    }
    let before = published
    if change == .set { published = [] }
    for name in tables {
      guard let table = ownTable(name) else { continue }
      let place = "of publication \"\(PublicationScope.name)\""
      if change == .drop {
        if published.remove(table.name) == nil {
          refuse("relation \"\(table.name.name)\" is not part of the publication", at: name.offset)
        }
      } else if !published.insert(table.name).inserted, change == .add, before.contains(table.name) {
        refuse("relation \"\(table.name.name)\" is already member \(place)", at: name.offset)
      }
    }
    if isAccepted { catalogue.published = .tables(published) }
  }
}

extension SQLRole {
  /// The name of the role if clients have it, or `public` for all; nil otherwise.
  fileprivate var ofClients: String? {
    switch self {
    case .everyone: "public"
    case .named(let name): TablePrivileges.roles.contains(name) ? name : nil
    case .currentRole, .currentUser, .sessionUser: nil
    }
  }
}
