import ZoneKitRecords
import ZoneKitMemoryStores
import Testing

@testable import ZoneKitSync

@Suite struct `a cloud of one zone` {
  private static var configuration: CoordinatorConfiguration {
    var configuration = Sample.configuration
    configuration.traits.conversation = OneZoneConversation(zoneID: Sample.zone)
    configuration.pushes.subscriptionID = nil
    configuration.traits.journalZone = nil
    return configuration
  }

  private func save(_ name: Name, _ text: String) -> RecordEdit {
    var fields = Fields()
    fields["text"] = .string(text)
    return .save(Sample.id(name), type: "Item", fields: fields, parent: nil, stamping: .asGiven)
  }

  private func query(_ token: String?) -> CloudRequest {
    .fetchZoneChanges([ZoneChangesQuery(zoneID: Sample.zone, token: token.map { ChangeToken($0) }, limit: 100)])
  }

  @Test func `is pulled page by page by the zone's token, and nothing else is asked`() throws {
    var cloud = try ScriptedCloud(Self.configuration)
    try cloud.launch { request in
      request == query(nil)
        ? .zoneChanges([
          .changes(Sample.page([.saved(Sample.record("A", Sample.content("a")))], moreComing: true))
        ])
        : .zoneChanges([
          .changes(Sample.page([.saved(Sample.record("B", Sample.content("b")))], token: "t2"))
        ])
    }
    #expect(cloud.requests == [query(nil), query("t1")])
    #expect(cloud.shown == [Sample.id("A"), Sample.id("B")])
    #expect(cloud.facts.last == .syncFinished([.launch], records: 2, pages: 2))
    #expect(cloud.coordinator.zoneStates.map(\.token) == [ChangeToken("t2")])
    #expect(cloud.coordinator.isIdle)
  }

  @Test func `gets edits in one batch, and a conflict is looked up, merged and sent again`() throws {
    var cloud = try ScriptedCloud(Self.configuration)
    try cloud.launch { _ in .zoneChanges([.changes(Sample.page([]))]) }
    cloud.forget()
    let me = cloud.coordinator.deviceID
    var pushes = 0
    try cloud.edit([save("A", "x"), save("B", "y")]) { request in
      switch request {
      case .modifyRecords(let modify):
        pushes += 1
        return .records(
          modify.operations.map { operation in
            let name = operation.recordName ?? ""
            if pushes == 1, name == "B" { return .failed("B", CloudError(.serverRecordChanged, "newer")) }
            let text = name == "A" ? "x" : "y"
            return .record(Sample.record(name, Sample.content(text), tag: "p\(pushes)", by: me))
          })
      case .lookupRecords: return .records([.record(Sample.record("B", Sample.content("a")))])
      default: return nil
      }
    }
    let kinds = cloud.requests.map { request in
      switch request {
      case .modifyRecords(let modify): "push \(modify.operations.compactMap(\.recordName?.text).joined(separator: ","))"
      case .lookupRecords(_, let names): "look up \(names.map(\.text).joined(separator: ","))"
      default: "\(request)"
      }
    }
    #expect(kinds == ["push A,B", "look up B", "push B"])
    #expect(try cloud.coordinator.store.census().pending == 0)
    #expect(try cloud.coordinator.store.record(Sample.id("B"))?.local == Sample.content("y"))
  }

  @Test func `is asked again after a pause when an answer is lost`() throws {
    var cloud = try ScriptedCloud(Self.configuration)
    try cloud.launch { _ in nil }
    #expect(cloud.requests == [query(nil)])
    guard case .syncFailed(_, let error, let wait)? = cloud.facts.last else {
      Issue.record("the sync should have failed")
      return
    }
    #expect(error.code == .serverResponseLost)
    #expect(wait != nil)
    #expect(cloud.coordinator.nextDeadline != nil)
    #expect(cloud.coordinator.liveState == .backingOff)
  }
}
