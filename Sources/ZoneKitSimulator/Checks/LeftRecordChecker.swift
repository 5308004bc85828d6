import ZoneKitRecords
import ZoneKitSync

/// What a full fetch did not see does not vanish without a trace: the journal has each record that a device removes for
/// that.
package struct LeftRecordChecker: DeviceChecker {
  /// See `DeviceChecker`.
  package static let reads = LogEventKinds(facts: [.leftoversRemoved])

  /// The zone in which devices report conflicts. It needs no journal.
  private let journalZone: ZoneID?
  /// Whether all records are the user's. Those that only the cloud writes need no journal.
  private let isWritten: Bool

  /// A checker at the start of a log.
  package init(_ configuration: CoordinatorConfiguration) {
    journalZone = configuration.traits.journalZone
    isWritten = configuration.traits.derivedTypes.isEmpty
  }

  /// See `DeviceChecker`.
  package mutating func take(_ entry: LogEntry, _ history: DeviceHistory) -> Finding? {
    guard case .fact(.leftoversRemoved(let zone, let count)) = entry.event, zone != journalZone, isWritten else {
      return nil
    }
    let kept = ((try? entry.device.store.conflicts(limit: .max)) ?? []).filter {
      $0.recordID.zoneID == zone && $0.rule == ConflictEntry.leftOut
    }
    guard kept.count < count else { return nil }
    return Finding(
      .lostEdit, "\(count.counted("record")) of \(zone.words) went, and the journal has \(kept.count) of the zone")
  }
}
