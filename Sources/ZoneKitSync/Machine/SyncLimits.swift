import ZoneKitRecords

/// The limits of a single sync. Devices rarely reach the defaults, so simulations use small values to test what happens
/// beyond them.
package struct SyncLimits: Hashable, Sendable {
  /// The number of pending records that are read at once to find the first one that may be sent, at least 1.
  package var sendPage = 100
  /// The number of pending records that are considered for one batch, at least 1.
  package var sendWindow = 1_000
  /// The number of zones in one request, at least 1.
  package var zones = 20
  /// The number of records that one request looks up, from 1 to 200.
  package var lookups = ModifyRecords.operationLimit
  /// How often the same records are looked up and sent again in one sync. After that they wait for the next sync.
  package var rounds = 10

  /// The default limits.
  package init() {}
}
