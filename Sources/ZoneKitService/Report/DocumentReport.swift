import ZoneKitRecords
import ZoneKitStorage
import ZoneKitSync

/// The part of the diagnostics dump about a device whose app's documents lie on a server of documents, as JSON.
enum DocumentReport {
  /// The device's entry in the dump, with the members that other devices do not have.
  static func device(_ diagnostics: DeviceDiagnostics, store: DeviceFile) throws(StoreError) -> JSON {
    let feeds = try store.zones().map { zone -> JSON in
      [
        "feed": .string(zone.zoneID.zoneName.text), "cursor": text(zone.token?.text),
        "cursorAt": text(zone.tokenAt?.iso8601), "behind": .bool(zone.isStale),
      ]
    }
    let last = diagnostics.traces.first
    let documents: JSON = [
      "count": .integer(Int64(diagnostics.counts.reduce(0) { $0 + $1.count })), "feeds": .array(feeds),
      "lastDocument": text(last?.recordID.recordName.text), "lastVersion": text(last?.changeTag.text),
    ]
    let members = DeviceReport.device(diagnostics).object ?? []
    return .object(members + [JSON.Member("protocol", "documents"), JSON.Member("documents", documents)])
  }

  private static func text(_ text: String?) -> JSON { text.map(JSON.string) ?? .null }
}
