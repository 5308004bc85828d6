import ZoneKitRecords
import ZoneKitSync

/// A device does not send records that only the cloud writes.
package struct DerivedRecordChecker: DeviceChecker {
  /// See `DeviceChecker`.
  package static let reads = LogEventKinds(events: [.request])

  /// The types of those records.
  private let types: Set<Name>

  /// A checker at the start of a log.
  package init(_ configuration: CoordinatorConfiguration) { types = configuration.traits.derivedTypes }

  /// See `DeviceChecker`.
  package mutating func take(_ entry: LogEntry, _ history: DeviceHistory) -> Finding? {
    guard case .request(_, .modifyRecords(let batch), _) = entry.event,
      let sent = batch.operations.first(where: { $0.recordType.map(types.contains) ?? false })
    else { return nil }
    return Finding(.model, "it sends record \(sent.recordName ?? ""), which only the cloud writes")
  }
}
