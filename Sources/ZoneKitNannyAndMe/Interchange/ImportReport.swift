import ZoneKitRecords

/// The result of an import, record by record.
package struct ImportReport: Hashable, Sendable {
  /// The records that are new on the device.
  package var added: [RecordID] = []
  /// The records that were replaced by the file's version.
  package var updated: [RecordID] = []
  /// The records that were equal or newer on the device.
  package var unchanged: [RecordID] = []
  /// The actions that were refused, with the reasons.
  package var refused: [ShareNote] = []
  /// The single values that were left out, with the reasons.
  package var keptOut: [ShareNote] = []
  /// The actions that the running-action rule ended because of the import.
  package var ended: [RecordID] = []
  /// The number of the file's stamps that are more than a day ahead of the device's clock.
  package var farFutureStamps = 0

  /// An empty report.
  package init() {}

  /// The report as lines of text: a summary, then one line for each remark.
  package var lines: [String] {
    var summary =
      "\(added.count) added, \(updated.count) updated, \(unchanged.count) unchanged, \(refused.count) refused"
    if !keptOut.isEmpty { summary += ", \(keptOut.count.counted("value")) kept out" }
    if !ended.isEmpty { summary += ", \(ended.count.counted("running action")) ended" }
    if farFutureStamps > 0 { summary += ", \(farFutureStamps.counted("stamp")) from the future" }
    return [summary] + refused.map { "refused \($0)" } + keptOut.map { "kept out \($0)" }
  }
}
