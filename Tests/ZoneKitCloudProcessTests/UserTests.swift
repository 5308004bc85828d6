import Testing
import ZoneKitCloud
import ZoneKitMemoryStores
import ZoneKitRecords

@testable import ZoneKitCloudProcess

@Suite struct `users whom the cloud meets` {
  private static let publicDatabase = TestProcess.database.public

  /// The users that a discovery by record name finds.
  private func found(_ accounts: Name..., in test: inout TestProcess) -> [Name] {
    let lookups = accounts.map { UserLookup.userRecordName(UserRecordName.of(user: $0)) }
    guard case .users(let results)? = test.ask(.fetchUsers(.discover(lookups)), of: "someone") else { return [] }
    return results.compactMap { if case .user(let user, _) = $0 { user.userRecordName } else { nil } }
  }

  private func header(_ test: TestProcess) throws -> ZoneHeader? {
    try test.process.zones.store.zone(UserDirectory(of: TestProcess.database).zone)
  }

  @Test func `are in the directory from their first request on, also for the next process over the store`() {
    var test = TestProcess()
    #expect(found("nanny", in: &test) == [])
    _ = test.ask(.listZones)
    #expect(found("nanny", "mum", in: &test) == [UserRecordName.of(user: "nanny")])
    var next = TestProcess(over: test.process.zones.store)
    #expect(found("nanny", in: &next) == [UserRecordName.of(user: "nanny")])
  }

  @Test func `cost neither a read nor a write once they are known`() throws {
    var test = TestProcess()
    _ = test.ask(.listZones)
    let before = try header(test)
    test.process.zones.store.damage[UserDirectory(of: TestProcess.database).zone] = StoreError(
      .failed, "not to be read", place: "the directory")
    test.call(.listZones)
    #expect(test.endTurn().count == 1, "the answer is the only effect")
    test.process.zones.store.damage = [:]
    #expect(try header(test) == before)
    var next = TestProcess(over: test.process.zones.store)
    next.call(.listZones)
    #expect(next.endTurn().commits == 0, "the next process reads and does not write")
    #expect(try header(next) == before)
  }

  @Test func `are entered with a later request if the disk refused the first one`() {
    var test = TestProcess()
    test.process.zones.store.commitError = StoreError(.full, "no space left", place: "the disk")
    #expect(test.ask(.listZones) != nil, "a request that writes nothing is answered")
    test.process.zones.store.commitError = nil
    #expect(found("nanny", in: &test) == [])
    _ = test.ask(.listZones)
    #expect(found("nanny", in: &test) == [UserRecordName.of(user: "nanny")])
  }

  @Test func `with credentials are in the directory of every container that somebody uses`() {
    var test = TestProcess()
    let mum = DirectoryUser(account: "mum", firstName: "Mara", emailAddress: "mum@example.com")
    test.process.register([mum])
    _ = test.ask(.listZones)
    #expect(
      test.ask(.fetchUsers(.lookup([.emailAddress("mum@example.com")])))
        == .users([.user(mum.identity, .emailAddress("mum@example.com"))]))
    let renamed = DirectoryUser(account: "mum", firstName: "Maria")
    test.process.register([renamed])
    #expect(
      test.ask(.fetchUsers(.caller), of: "mum")
        == .users([
          .user(
            DirectoryUser(account: "mum", firstName: "Maria", emailAddress: "mum@example.com").identity,
            .userRecordName(renamed.identity.userRecordName))
        ]))
  }

  @Test func `have a record in the public database as soon as that is used, and not before`() {
    var test = TestProcess()
    for user in ["nanny", "mum"] as [Name] { _ = test.ask(.listZones, of: user) }
    #expect(test.process.zones.status(of: Self.publicDatabase).zones == [])
    let names = (["nanny", "mum"] as [Name]).map { UserRecordName.of(user: $0) }
    let request = CloudRequest.lookupRecords(zoneID: .defaultZone, recordNames: names)
    let nobody = CloudSender(Caller(user: DatabaseID.publicUser))
    let reception = test.process.receive(
      .call(request, in: Self.publicDatabase), from: nobody, at: test.now, using: &test.generator)
    let reply = test.endTurn().replies.first { $0.ticket == reception.ticket }
    guard case .call(.records(let results))? = reply?.answer else {
      Issue.record("\(String(describing: reply))")
      return
    }
    let types = results.compactMap { (result) -> Name? in
      if case .record(let record) = result { record.recordType } else { nil }
    }
    #expect(types == ["Users", "Users"])
  }

  @Test func `are not those who read the public database without an account`() throws {
    var test = TestProcess()
    let nobody = Caller(user: DatabaseID.publicUser)
    let request = CloudRequest.lookupRecords(zoneID: .defaultZone, recordNames: ["a"])
    _ = test.process.receive(
      .call(request, in: Self.publicDatabase), from: CloudSender(nobody), at: test.now, using: &test.generator)
    _ = test.endTurn()
    #expect(try header(test) == nil)
  }
}
