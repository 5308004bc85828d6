import Testing
import ZoneKitRecords
import ZoneKitMemoryStores

@testable import ZoneKitSync

@Suite struct `a device without pushes` {
  private static let minute: Int64 = 60_000

  private static var configuration: CoordinatorConfiguration {
    var configuration = Sample.configuration
    configuration.goWithoutPushes()
    return configuration
  }

  /// The answers of a cloud with one zone. If a time is given, a record was changed at it.
  private func answer(_ request: CloudRequest, modifiedAt time: Int64? = nil, tag: String = "1") -> CloudResponse? {
    switch request {
    case .fetchZoneChanges(let queries):
      let records = time.map { [Sample.record("R", Sample.content(tag), tag: tag, at: $0)] } ?? []
      return .zoneChanges(queries.map { .changes(Sample.page(records.map { .saved($0) }, of: $0.zoneID)) })
    case .fetchDatabaseChanges(let token, _):
      let isNew = token == nil || time != nil
      return .databaseChanges(
        DatabaseChanges(
          zones: isNew ? [.changed(Sample.zone, token: ChangeToken("x"))] : [], token: ChangeToken("d1"),
          moreComing: false))
    default: return nil
    }
  }

  /// A device whose first sync has ended.
  private func launched() throws -> ScriptedCloud {
    var cloud = try ScriptedCloud(Self.configuration)
    try cloud.launch { answer($0) }
    return cloud
  }

  @Test func `asks for no push token and no subscription`() throws {
    var cloud = try launched()
    cloud.sync(.manual) { answer($0) }
    let others = cloud.requests.filter { request in
      switch request {
      case .fetchDatabaseChanges, .fetchZoneChanges: false
      default: true
      }
    }
    #expect(others.isEmpty)
    #expect(cloud.requests.count == 4)
    #expect(cloud.coordinator.pushToken == nil)
  }

  @Test func `fetches a quarter of an hour after its last fetch`() throws {
    var cloud = try launched()
    let end = cloud.time
    #expect(cloud.coordinator.nextDeadline?.milliseconds == end + 15 * Self.minute)
    cloud.forget()
    cloud.tick { answer($0) }
    #expect(!cloud.requests.isEmpty)
    #expect(cloud.coordinator.nextDeadline?.milliseconds == cloud.time + 15 * Self.minute)
  }

  @Test func `does not fetch in the background, and does when it comes to the front`() throws {
    var cloud = try launched()
    cloud.forget()
    cloud.leave { answer($0) }
    #expect(cloud.coordinator.nextDeadline == nil)
    cloud.wait(20 * Self.minute)
    cloud.tick { answer($0) }
    #expect(cloud.requests.isEmpty)
    cloud.enter { answer($0) }
    #expect(!cloud.requests.isEmpty)
    #expect(cloud.coordinator.nextDeadline?.milliseconds == cloud.time + 15 * Self.minute)
  }

  @Test func `misses no push for an old change`() throws {
    func facts(_ configuration: CoordinatorConfiguration) throws -> [DeviceFact] {
      var cloud = try ScriptedCloud(configuration)
      try cloud.launch { answer($0) }
      let change = cloud.time + Self.minute
      cloud.wait(10 * Self.minute)
      cloud.sync(.foreground) { answer($0, modifiedAt: change, tag: "2") }
      return cloud.facts
    }
    var expecting = Sample.configuration
    expecting.pushes.subscriptionID = nil
    #expect(try facts(expecting).contains(.drought))
    #expect(try !facts(Self.configuration).contains(.drought))
  }

  @Test func `keeps a shorter time between fetches`() {
    var configuration = Sample.configuration
    configuration.pacing.fallback = 1_000
    configuration.goWithoutPushes()
    #expect(configuration.pacing.fallback == 1_000)
  }
}
