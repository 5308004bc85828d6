import Testing
import ZoneKitRecords

@testable import ZoneKitCloud

/// Random shares, hierarchies and participants against a plain reference: a participant who folds the shared database's
/// feed holds exactly the records that are shared, after every step (CloudKit Web Services, b.10).
@Suite struct `shared databases under random changes` {
  private static let names: [Name] = ["a", "b", "c", "d", "e", "f"]
  private static let users: [Name] = ["dad", "gran"]

  /// What the owner's zone holds, as the test keeps it.
  struct Model {
    /// The parents of all records that ever were.
    var parents: [Name: Name?] = [:]
    var live: Set<Name> = []
    /// The shares by their roots: who takes part, and whether by writing.
    var shares: [Name: [Name: Bool]] = [:]

    func ancestry(of name: Name) -> Set<Name> {
      var seen: Set<Name> = []
      var place: Name? = name
      while let here = place, seen.insert(here).inserted { place = parents[here] ?? nil }
      return seen
    }

    func visible(to user: Name) -> Set<Name> {
      let roots = shares.filter { $0.value[user] != nil }.keys
      let records = live.filter { name in roots.contains { ancestry(of: name).contains($0) } }
      return records.union(roots.map(Self.share))
    }

    mutating func delete(_ name: Name) {
      live.remove(name)
      shares[name] = nil
    }

    static func share(of root: Name) -> Name { Name("share-\(root)") }
  }

  /// A participant's device.
  struct Device {
    var held: Set<Name> = []
    var databaseToken: ChangeToken?
    var token: ChangeToken?
    /// How often it began anew.
    var beginnings = 0
  }

  private let zone = ZoneID(zoneName: "Notes", owner: .user(UserRecordName.of(user: "nanny")))

  private func become(_ user: Name, _ scope: DatabaseScope, in cloud: inout TestCloud) {
    cloud.caller = Caller(user: user, deviceID: "\(user)-1")
    cloud.database = DatabaseID(container: "iCloud.a", environment: .development, user: user, scope: scope)
  }

  private func begin(_ seed: UInt64) -> TestCloud {
    var cloud = TestCloud.withNotes(seed: seed)
    let users = (["nanny"] + Self.users).map { DirectoryUser(account: $0) }
    cloud.server.transact(
      UserRegistration(users, near: cloud.database, at: cloud.now), ticket: Ticket(9_999), in: cloud.database.public,
      from: Caller(user: DatabaseID.publicUser), at: cloud.now, using: &cloud.generator)
    _ = cloud.endTurn()
    return cloud
  }

  @Test(arguments: UInt64(1)...120)
  func `every participant holds exactly that`(seed: UInt64) throws {
    var cloud = begin(seed)
    var random = SplitMix64(seed: seed &* 31)
    var model = Model()
    var devices = Dictionary(uniqueKeysWithValues: Self.users.map { ($0, Device()) })
    for step in 0..<60 {
      change(&cloud, &model, using: &random)
      for user in Self.users where Bool.random(using: &random) || step == 59 {
        try sync(
          &devices[user, default: Device()], of: user, with: &cloud, limit: Int.random(in: 1...4, using: &random))
        #expect(devices[user]?.held == model.visible(to: user), "step \(step), \(user)")
      }
    }
  }

  private func change(_ cloud: inout TestCloud, _ model: inout Model, using random: inout SplitMix64) {
    let name = Self.names.randomElement(using: &random) ?? "a"
    let parent = Bool.random(using: &random) ? Self.names.randomElement(using: &random) : nil
    let user = Self.users.randomElement(using: &random) ?? "dad"
    switch Int.random(in: 0..<10, using: &random) {
    case 0...3: save(name, below: parent, by: "nanny", &cloud, &model)
    case 4: save(name, below: parent, by: user, &cloud, &model)
    case 5: delete(name, by: "nanny", &cloud, &model)
    case 6: delete(name, by: user, &cloud, &model)
    case 7, 8: share(name, with: Self.users.filter { _ in Bool.random(using: &random) }, &cloud, &model)
    default: leave(name, user, &cloud, &model)
    }
  }

  private func operate(_ operation: RecordOperation, by user: Name, _ cloud: inout TestCloud) -> RecordResult? {
    become(user, user == "nanny" ? .private : .shared, in: &cloud)
    let batch = ModifyRecords(zoneID: user == "nanny" ? cloud.notes : zone, operations: [operation], isAtomic: false)
    guard case .records(let results) = cloud.ask(.modifyRecords(batch)) else { return nil }
    return results[0]
  }

  private func save(_ name: Name, below parent: Name?, by user: Name, _ cloud: inout TestCloud, _ model: inout Model) {
    let operation = RecordOperation(
      .forceReplace, recordName: name, recordType: "Note", parent: parent.map { .set($0) } ?? .keep)
    guard case .record? = operate(operation, by: user, &cloud) else { return }
    if user != "nanny" {
      // A participant changes what is shared for writing, and leaves it there.
      var after = model
      after.parents[name] = .some(parent)
      after.live.insert(name)
      let writable = model.shares.filter { $0.value[user] == true }.keys
      #expect(writable.contains { after.ancestry(of: name).contains($0) })
      if model.live.contains(name) { #expect(writable.contains { model.ancestry(of: name).contains($0) }) }
    }
    model.parents[name] = .some(parent)
    model.live.insert(name)
  }

  private func delete(_ name: Name, by user: Name, _ cloud: inout TestCloud, _ model: inout Model) {
    guard model.live.contains(name),
      case .deleted? = operate(RecordOperation(.forceDelete, recordName: name), by: user, &cloud)
    else { return }
    if user != "nanny" { #expect(model.visible(to: user).contains(name)) }
    model.delete(name)
  }

  /// Shares a record with users, or changes with whom it is shared. All accept.
  private func share(_ root: Name, with users: [Name], _ cloud: inout TestCloud, _ model: inout Model) {
    guard model.live.contains(root) else { return }
    let participants = users.map { user in
      ShareChange.Participant(
        lookup: .userRecordName(UserRecordName.of(user: user)), permission: user == "dad" ? .readWrite : .readOnly)
    }
    let operation = RecordOperation(
      .forceUpdate, recordName: Model.share(of: root), recordType: Share.recordType,
      share: ShareChange(root: root, participants: participants))
    guard case .record(let record)? = operate(operation, by: "nanny", &cloud),
      let share = (try? record.fields.decoded()).flatMap({ Share($0) })
    else {
      Issue.record("the share of \(root) was not saved")
      return
    }
    model.shares[root] = Dictionary(uniqueKeysWithValues: users.map { ($0, $0 == "dad") })
    for user in users {
      become(user, .public, in: &cloud)
      guard case .shares(let results) = cloud.ask(.acceptShares([ShareRequest(share.shortGUID)])),
        case .share = results[0]
      else {
        Issue.record("\(user) could not accept")
        continue
      }
    }
  }

  private func leave(_ root: Name, _ user: Name, _ cloud: inout TestCloud, _ model: inout Model) {
    guard model.shares[root]?[user] != nil else { return }
    let operation = RecordOperation(.forceDelete, recordName: Model.share(of: root))
    guard case .deleted? = operate(operation, by: user, &cloud) else {
      Issue.record("\(user) could not leave")
      return
    }
    model.shares[root]?[user] = nil
  }

  /// Reads the feeds of the shared database as a device does.
  private func sync(_ device: inout Device, of user: Name, with cloud: inout TestCloud, limit: Int) throws {
    become(user, .shared, in: &cloud)
    guard case .databaseChanges(let changes) = cloud.ask(.fetchDatabaseChanges(since: device.databaseToken, limit: 200))
    else { return }
    device.databaseToken = changes.token
    for changed in changes.zones {
      switch changed {
      case .deleted(let id, _):
        #expect(id == zone)
        device.held = []
        device.token = nil
      case .changed(let id, _):
        #expect(id == zone)
        try fetch(&device, &cloud, limit: limit)
      }
    }
  }

  private func fetch(_ device: inout Device, _ cloud: inout TestCloud, limit: Int) throws {
    while true {
      let query = ZoneChangesQuery(zoneID: zone, token: device.token, limit: limit)
      guard case .zoneChanges(let results) = cloud.ask(.fetchZoneChanges([query])) else { return }
      switch results[0] {
      case .failed(_, let error):
        try #require(error.code == .changeTokenExpired && device.token != nil)
        device.held = []
        device.token = nil
        device.beginnings += 1
        try #require(device.beginnings < 100)
      case .changes(let page):
        for change in page.page.changes {
          switch change {
          case .saved(let record): device.held.insert(record.recordName)
          case .deleted(let name, _): device.held.remove(name)
          }
        }
        device.token = page.token
        if !page.moreComing { return }
      }
    }
  }
}
