import Records
import Simulator
import ZoneServer

/// A zone token that is no good once, and then never again.
final class Expiry {
  private var isOver = false

  func once(_ queries: [ZoneChangesQuery]) -> CloudResponse? {
    guard !isOver else { return nil }
    isOver = true
    return .zoneChanges(queries.map { .failed($0.zoneID, CloudError(.changeTokenExpired, "too old")) })
  }
}

/// A cloud that lost everything.
enum ZoneServerWithout {
  static var anything: ZoneServer<MemoryZoneStore> { ZoneServer(store: MemoryZoneStore()) }
}
