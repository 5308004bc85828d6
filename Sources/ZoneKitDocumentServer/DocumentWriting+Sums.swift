import ZoneKitCloud
import ZoneKitDocuments
import ZoneKitRecords

/// The sums of the days that the changes of a push touch.
extension DocumentWriting {
  /// Takes a document out of the sums of its day, and puts its new version into those of its new day.
  mutating func sum(
    _ name: DocumentName, _ before: Fields?, _ after: Fields?, in collection: DocumentCollection
  ) throws(EvaluationFailure) {
    guard let summary = schema.summary, summary.source == collection.name, let items = collection.items else { return }
    for (fields, isAfter) in [(before, false), (after, true)] {
      guard let fields, case .string(let day)? = fields[summary.day] else { continue }
      var sums = if let known = summaries[day] { known } else { try stored(day, summary) }
      let counts = isAfter && !fields.isDeleted
      sums.put(
        counts ? fields.items(in: items.name) ?? [] : nil, of: name.id, stamp: fields.editedAt, amounts: schema.summed)
      summaries[day] = sums
    }
  }

  /// The records of the days in which stored documents count that the changes replace. Days that only changes name are read with
  /// the documents.
  func daysBefore() throws(EvaluationFailure) -> [Name] {
    guard let summary = schema.summary else { return [] }
    var days: Set<String> = []
    for change in transaction.push.changes where change.name.collection == summary.source {
      guard let record = try zone.live(change.name.recordName),
        case .string(let day)? = try record.decodedFields()[summary.day]
      else { continue }
      days.insert(day)
    }
    return days.sorted().map { DocumentName(summary.collection, $0).recordName }
  }

  private func stored(
    _ day: String, _ summary: DocumentSchema.Summary
  ) throws(EvaluationFailure) -> DailySummary {
    guard let record = try zone.live(DocumentName(summary.collection, day).recordName) else { return DailySummary() }
    return DailySummary(try record.decodedFields(), amounts: schema.summed) ?? DailySummary()
  }

  /// Writes the sums that the changes of the push touched.
  mutating func writeSummaries() throws(EvaluationFailure) {
    guard let summary = schema.summary else { return }
    for (day, sums) in summaries.sorted(by: { $0.key < $1.key }) {
      let name = DocumentName(summary.collection, day).recordName
      let before = try zone.live(name)
      if let before, DailySummary(try before.decodedFields(), amounts: schema.summed) == sums { continue }
      hasChangedSums = true
      let fields = sums.fields(stamp: stamp, amounts: schema.summed)
      let modified = Authorship(at: stamp, author: server)
      try zone.put(record(name, summary.collection, fields, modified, over: before), defining: fields)
    }
  }
}
