import ZoneKitRecords

/// What an import did, record by record.
package struct ImportReport: Hashable, Sendable {
  /// The records that the device did not have.
  package var added: [RecordID] = []
  /// The records whose version in the file won.
  package var updated: [RecordID] = []
  /// The records that were equal, or newer on the device.
  package var unchanged: [RecordID] = []
  /// The actions that were refused, and why.
  package var refused: [ShareNote] = []
  /// The single values that were left out, and why.
  package var keptOut: [ShareNote] = []
  /// The actions that the running-action rule ended because of the import.
  package var ended: [RecordID] = []
  /// How many stamps taken from the file lie more than a day ahead of the device's clock.
  package var farFutureStamps = 0

  /// A report of nothing.
  package init() {}

  /// The report as lines of text: a summary, then one line for each remark.
  package var lines: [String] {
    var summary =
      "\(added.count) added, \(updated.count) updated, \(unchanged.count) unchanged, \(refused.count) refused"
    if !keptOut.isEmpty { summary += ", \(keptOut.count) values kept out" }
    if !ended.isEmpty { summary += ", \(ended.count) running actions ended" }
    if farFutureStamps > 0 { summary += ", \(farFutureStamps) stamps from the future" }
    return [summary] + refused.map { "refused \($0)" } + keptOut.map { "kept out \($0)" }
  }
}
