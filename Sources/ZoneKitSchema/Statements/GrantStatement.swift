/// Privileges for tables that are given to roles or taken from them.
package struct GrantStatement: Equatable, Sendable {
  /// One privilege.
  package struct Privilege: Equatable, Sendable {
    /// Its name, in lower case; nil for all privileges, of certain columns.
    package var name: String?
    /// The columns that it is for; none for all.
    package var columns: [String]

    /// A privilege of that name.
    package init(_ name: String?, columns: [String] = []) {
      self.name = name
      self.columns = columns
    }
  }

  /// What the privileges are for. Those for other objects have no effect: clients use sequences, functions and schemas
  /// through tables alone.
  package enum Subject: Equatable, Sendable {
    /// Tables.
    case tables([SQLName])
    /// All tables in schemas.
    case allTables(schemas: [String])
  }

  /// Whether they are given.
  package var isGrant: Bool
  /// The privileges; none stands for all.
  package var privileges: [Privilege]
  /// What they are for.
  package var subject: Subject
  /// Who gets or loses them; one or more.
  package var roles: [SQLRole]

  /// Privileges for that.
  package init(isGrant: Bool = true, _ privileges: [Privilege], on subject: Subject, roles: [SQLRole]) {
    self.isGrant = isGrant
    self.privileges = privileges
    self.subject = subject
    self.roles = roles
  }
}
