import ZoneKitRecords
import ZoneKitSync

/// What a device knows about one record: where it stands, who made its version, which versions lost against it, and how
/// changes of others reached the device.
package enum RecordReport {
  /// The most entries of the journal, and the most traces, among which those of the record are looked for.
  private static let limit = 10_000

  /// The report; nil if the store has no such record.
  package static func report(on recordID: RecordID, in store: some DeviceStore) throws(StoreError) -> JSON? {
    guard let record = try store.record(recordID) else { return nil }
    let conflicts = try store.conflicts(limit: limit).filter { $0.recordID.recordName == recordID.recordName }
    let traces = try store.traces(limit: limit).filter { $0.recordID.recordName == recordID.recordName }
    return [
      "record": .string(recordID.recordName.text), "type": .string(record.recordType.text),
      "state": .string(record.quarantine != nil ? "failed" : record.isPending ? "pending" : "synced"),
      "since": time(record.pendingSince), "reason": text(record.quarantine?.text),
      "revision": .integer(record.revision), "times": times(record.local),
      "updatedAt": time(record.server?.modified.at),
      "author": text(record.server?.modified.author.deviceID),
      "conflicts": .array(conflicts.map(DeviceReport.conflict)),
      "way": .array(traces.map { .object(DeviceReport.trace($0)) }),
    ]
  }

  /// The times in a version by the names of their fields.
  private static func times(_ content: RecordContent?) -> JSON {
    let fields = (try? content?.fields.decoded()) ?? Fields()
    return .object(
      fields.sorted.compactMap { field in
        guard case .timestamp(let stamp) = field.value else { return nil }
        return JSON.Member(field.name.text, time(stamp))
      })
  }

  private static func time(_ time: WallTime?) -> JSON { text(time?.iso8601) }
  private static func text(_ text: String?) -> JSON { text.map(JSON.string) ?? .null }
}
