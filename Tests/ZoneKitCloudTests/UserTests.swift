import Testing
import ZoneKitMemoryStores
import ZoneKitRecords

@testable import ZoneKitCloud

@Suite struct `the directory of users` {
  private static let ann = DirectoryUser(
    account: "ann", firstName: "Ann", lastName: "Lee", emailAddress: "Ann@Example.com", phoneNumber: "+49 (170) 1-2")
  private static let ben = DirectoryUser(account: "ben")

  /// A cloud in whose public database requests are made.
  private func cloud(knowing users: DirectoryUser...) -> TestCloud {
    var cloud = TestCloud()
    cloud.database = cloud.database.public
    enter(users, in: &cloud)
    return cloud
  }

  @discardableResult
  private func enter(
    _ users: [DirectoryUser], opening opens: Bool = false, in cloud: inout TestCloud
  ) -> [CloudEffect] {
    cloud.server.transact(
      UserRegistration(users, near: cloud.database, opensPublicZone: opens, at: cloud.now), ticket: Ticket(0),
      in: cloud.database,
      from: Caller(user: DatabaseID.publicUser), at: cloud.now, using: &cloud.generator)
    return cloud.endTurn()
  }

  private func header(in cloud: TestCloud) -> ZoneHeader? {
    (try? cloud.server.store.zone(UserDirectory(of: cloud.database).zone)) ?? nil
  }

  private func lookUp(_ lookups: UserLookup..., in cloud: inout TestCloud) -> [UserResult] {
    guard case .users(let results) = cloud.ask(.fetchUsers(.lookup(lookups))) else { return [] }
    return results
  }

  private func save(
    _ name: Name, _ kind: RecordOperation.Kind = .forceUpdate, type: Name? = nil, in cloud: inout TestCloud
  ) -> RecordResult? {
    let operation = RecordOperation(
      kind, recordName: name, recordType: type,
      fields: kind.isDeletion ? [] : [.typed("city", .string("Ulm"))])
    let batch = ModifyRecords(zoneID: .defaultZone, operations: [operation], isAtomic: false)
    guard case .records(let results) = cloud.ask(.modifyRecords(batch)) else { return nil }
    return results[0]
  }

  @Test func `finds a user by record name, e-mail address and phone number, however they are written`() {
    var cloud = cloud(knowing: Self.ann, Self.ben)
    let found = lookUp(
      .emailAddress("ann@EXAMPLE.com "), .phoneNumber("+49170 12"), .userRecordName(UserRecordName.of(user: "ben")),
      in: &cloud)
    #expect(
      found == [
        .user(Self.ann.identity, .emailAddress("ann@EXAMPLE.com ")),
        .user(Self.ann.identity, .phoneNumber("+49170 12")),
        .user(Self.ben.identity, .userRecordName(Self.ben.identity.userRecordName)),
      ])
  }

  @Test func `has an error for each unknown user of a lookup, and leaves them out of a discovery`() {
    var cloud = cloud(knowing: Self.ann)
    let lookups: [UserLookup] = [
      .emailAddress("nobody@example.com"), .emailAddress("ann@example.com"), .userRecordName("_x"),
    ]
    let results = lookUp(lookups[0], lookups[1], lookups[2], in: &cloud)
    #expect(results.count == 3 && results[1] == .user(Self.ann.identity, lookups[1]))
    guard case .failed(lookups[0], let first) = results[0], case .failed(lookups[2], let last) = results[2] else {
      Issue.record("\(results)")
      return
    }
    #expect(first.code == .unknownItem && first.reason.contains("nobody@example.com") && last.code == .unknownItem)
    #expect(cloud.ask(.fetchUsers(.discover(lookups))) == .users([.user(Self.ann.identity, lookups[1])]))
  }

  @Test func `answers the caller in every database, also one whom it does not know`() {
    var cloud = cloud(knowing: Self.ann)
    for scope in [DatabaseScope.public, .private, .shared] {
      for user in ["ann", "zoe"] as [Name] {
        cloud.caller = Caller(user: user)
        cloud.database = DatabaseID(container: "iCloud.a", environment: .development, user: user, scope: scope)
        let lookup = UserLookup.userRecordName(cloud.caller.userRecordName)
        let known = user == "ann" ? Self.ann.identity : UserIdentity(userRecordName: cloud.caller.userRecordName)
        #expect(cloud.ask(.fetchUsers(.caller)) == .users([.user(known, lookup)]))
      }
    }
  }

  @Test func `is one for each container and environment`() {
    var cloud = cloud(knowing: Self.ann)
    let name = UserLookup.userRecordName(Self.ann.identity.userRecordName)
    for (container, environment) in [("iCloud.b", .development), ("iCloud.a", .production)] as [(Name, Environment)] {
      cloud.database = DatabaseID(container: container, environment: environment, user: "ann", scope: .public)
      #expect(cloud.ask(.fetchUsers(.discover([name]))) == .users([]))
    }
  }

  @Test func `keeps what a later description does not know, and moves a contact that it changes`() {
    var cloud = cloud(knowing: Self.ann)
    let before = header(in: cloud)
    enter([DirectoryUser(account: "ann")], in: &cloud)
    #expect(header(in: cloud) == before)
    enter([DirectoryUser(account: "ann", firstName: "Anna", emailAddress: "anna@example.com")], in: &cloud)
    var changed = Self.ann
    (changed.identity.firstName, changed.identity.emailAddress) = ("Anna", "anna@example.com")
    let results = lookUp(.emailAddress("anna@example.com"), .emailAddress("ann@example.com"), in: &cloud)
    #expect(results.first == .user(changed.identity, .emailAddress("anna@example.com")))
    guard case .failed? = results.last else {
      Issue.record("the old address still leads to the user")
      return
    }
  }

  @Test func `leaves a contact with the user who had it first`() {
    var cloud = cloud(knowing: Self.ann, DirectoryUser(account: "ben", emailAddress: "ann@example.com"))
    let address = UserLookup.emailAddress("ann@example.com")
    #expect(lookUp(address, in: &cloud) == [.user(Self.ann.identity, address)])
  }

  @Test func `is in no list, no report and no fact, and no request reaches it`() {
    var cloud = TestCloud()
    cloud.database = cloud.database.public
    #expect(enter([Self.ann], in: &cloud).facts == [])
    #expect(cloud.server.status(of: cloud.database).zones == [])
    guard case .zones(let zones) = cloud.ask(.listZones) else {
      Issue.record("no list")
      return
    }
    #expect(zones.count == 1)
    let hidden = ZoneID(zoneName: UserDirectory.zoneName)
    for request: CloudRequest in [
      .lookupRecords(zoneID: hidden, recordNames: [Self.ann.identity.userRecordName]),
      .modifyRecords(ModifyRecords(zoneID: hidden, operations: [], isAtomic: false)),
    ] {
      guard case .failure(let error) = cloud.ask(request) else {
        Issue.record("\(request) was answered")
        continue
      }
      #expect(error.code == .zoneNotFound)
    }
  }

  @Test func `gives each user a record, which the user alone changes and nobody deletes`() throws {
    var cloud = cloud(knowing: Self.ann)
    enter([], opening: true, in: &cloud)
    enter([Self.ben], in: &cloud)
    let (ann, ben) = (Self.ann.identity.userRecordName, Self.ben.identity.userRecordName)
    cloud.caller = Caller(user: "ann")
    let own = try #require(save(ann, in: &cloud)?.record)
    #expect(own.recordType == "Users" && own.created.author.userRecordName == ann)
    #expect(save(ann, type: "Other", in: &cloud)?.error?.code == .invalidArguments)
    #expect(save(ben, in: &cloud)?.error?.code == .invalidArguments)
    #expect(save(ann, .forceDelete, in: &cloud)?.error?.code == .permissionFailure)
    #expect(save("_new", type: "Users", in: &cloud)?.error?.code == .invalidArguments)
    guard case .records(let results) = cloud.ask(.lookupRecords(zoneID: .defaultZone, recordNames: [ann, ben])) else {
      Issue.record("no records")
      return
    }
    #expect(results.compactMap(\.record?.recordName) == [ann, ben])
    #expect(try results[0].record?.fields.decoded()["city"] == .string("Ulm"))
  }

  @Test func `makes the record of a user again that an administrator erased`() {
    var cloud = cloud()
    enter([Self.ann], opening: true, in: &cloud)
    _ = cloud.administer(.eraseRecords(.defaultZone))
    enter([Self.ann], in: &cloud)
    let name = Self.ann.identity.userRecordName
    guard case .records(let results) = cloud.ask(.lookupRecords(zoneID: .defaultZone, recordNames: [name])) else {
      return
    }
    #expect(results[0].record?.recordType == "Users")
  }

  @Test func `refuses more lookups than one request may have`() {
    var cloud = cloud()
    let many = (0...200).map { UserLookup.emailAddress("\($0)") }
    guard case .failure(let error) = cloud.ask(.fetchUsers(.discover(many))) else {
      Issue.record("201 lookups were answered")
      return
    }
    #expect(error.code == .invalidArguments)
    #expect(cloud.ask(.fetchUsers(.discover(Array(many.dropLast())))) == .users([]))
  }
}
