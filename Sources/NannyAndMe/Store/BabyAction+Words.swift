import Records

extension BabyAction {
  /// The first eight characters of the ID, which commands take for the whole.
  package var shortID: String { id.shortName }

  /// What it is, in words: `feeding bottle`.
  package var title: String {
    [category.rawValue, diaperType?.rawValue, feedingType?.rawValue].compactMap(\.self).joined(separator: " ")
  }

  /// The action on one line: short ID, start, how long, what, where. Times are UTC; `now` says how long a running one
  /// runs.
  package func line(now: WallTime) -> String {
    let length = max(0, (endDate ?? now).milliseconds / 60_000 - startDate.milliseconds / 60_000)
    let time = isRunning ? "running \(length) min" : category.canRun ? "\(length) min" : ""
    let bottle = [bottleType?.rawValue, bottleVolume.map { "\($0) ml" }].compactMap(\.self).joined(separator: " ")
    return [shortID, startDate.iso8601Seconds, title, bottle, time, placename.map { "at \($0)" } ?? ""]
      .filter { !$0.isEmpty }.joined(separator: "  ")
  }
}

extension RecordID {
  /// The first eight characters of the record's name.
  var shortName: String { String(recordName.text.prefix(8)) }
}
