import ZoneKitRecords

/// How much a coordinator takes on at once. Devices rarely meet these limits, so that a simulation draws small ones: what
/// happens beyond them has to be right too.
package struct SyncLimits: Hashable, Sendable {
  /// How many waiting records are read at once in search of the first that may go, at least 1.
  package var sendPage = 100
  /// How many waiting records are looked at to make one batch, at least 1.
  package var sendWindow = 1_000
  /// How many zones one request asks for, at least 1.
  package var zones = 20
  /// How many records one request looks up, 1 ... 200.
  package var lookups = ModifyRecords.operationLimit
  /// How often the same records are looked up and sent again in one sync; then they wait for the next one.
  package var rounds = 10

  /// The usual limits.
  package init() {}
}
