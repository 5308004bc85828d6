import ZoneKitRecords

/// What a device's channel has done since the app was launched.
package struct ChannelCounters: Hashable, Sendable {
  /// The change events that arrived.
  package private(set) var received = 0
  /// Those about a version that the device had fetched already.
  package private(set) var duplicates = 0
  /// Those about the device's own writes.
  package private(set) var ownEchoes = 0
  /// How often the channel was joined.
  package private(set) var joins = 0
  /// The last change event as a line of the log; nil if none arrived.
  package private(set) var lastEvent: String?

  /// Nothing happened.
  package init() {}

  /// Counts a fact.
  mutating func count(_ fact: ChannelFact) {
    switch fact {
    case .connectionChanged(isConnected: true): joins += 1
    case .change:
      received += 1
      lastEvent = fact.text
    case .duplicate: duplicates += 1
    case .ownEcho: ownEchoes += 1
    case .connectionChanged(isConnected: false), .unknownTable, .refused, .retry: break
    }
  }
}
