import ZoneKitDocuments
import ZoneKitRecords
import ZoneKitSync

/// Checks of the documents of an app, which implement the rules a second time in a simple way. For simulations.
package struct DocumentLaws: Sendable {
  private let app: DocumentApp
  /// The fields with items.
  private let itemFields: Set<Name>

  /// The laws for the documents of that app.
  package init(of app: DocumentApp) {
    self.app = app
    itemFields = Set(app.schema.collections.compactMap { $0.items?.name })
  }

  /// The merge policy that reports a violated law of merging as its rule.
  package var mergePolicy: MergePolicy {
    let ownRules = itemFields.union([.documentStamp, .deleted])
    return MergeLaws(of: DocumentMergePolicy(app.schema).policy, stamp: .documentStamp) { !ownRules.contains($0) }
      .policy
  }

  /// Returns what is wrong with a document that the app wrote, as a sentence; nil if nothing is: no item was edited later
  /// than the document.
  @Sendable package func flaw(_ id: RecordID, _ content: RecordContent) -> String? {
    guard let fields = try? content.fields.decoded() else { return "its fields cannot be read" }
    guard case .timestamp(let stamp)? = fields[.documentStamp] else { return "it has no edit stamp" }
    guard let field = items(of: id) else { return nil }
    guard let items = fields.items(in: field) else { return "its items cannot be read" }
    guard let late = items.first(where: { $0.updatedAt > stamp.milliseconds }) else { return nil }
    return "its item \(late.id) was edited later than the document"
  }

  /// Returns what is wrong with the content of a document, given all versions of it, as a sentence; nil if nothing is: each
  /// item is the greatest of its versions, and the document is deleted exactly if all of its latest versions are.
  @Sendable package func law(_ id: RecordID, _ versions: [RecordContent], _ final: RecordContent) -> String? {
    guard let end = try? final.fields.decoded() else { return "its fields cannot be read" }
    guard collection(of: id)?.isDerived == false else { return nil }
    let all = versions.compactMap { try? $0.fields.decoded() }
    let latest = all.filter { version in all.allSatisfy { $0.editedAt <= version.editedAt } }
    guard end.isDeleted == latest.allSatisfy(\.isDeleted) else {
      return end.isDeleted
        ? "it is deleted, although a latest version is not" : "it is not deleted, although its latest versions are"
    }
    return items(of: id).flatMap { flaw(ofItemsIn: $0, end, all) }
  }

  private func flaw(ofItemsIn field: Name, _ end: Fields, _ all: [Fields]) -> String? {
    var greatest: [String: (rank: (Int64, Int), text: String)] = [:]
    for item in all.flatMap({ $0.items(in: field) ?? [] }) {
      let rank = (item.updatedAt, item.isRemoved ? 0 : 1)
      if let known = greatest[item.id], known.rank > rank { continue }
      if let known = greatest[item.id], known.rank == rank,
        !known.text.utf8.lexicographicallyPrecedes(item.text.utf8)
      {
        continue
      }
      greatest[item.id] = (rank, item.text)
    }
    let items = end.items(in: field) ?? []
    guard items.count == greatest.count else {
      return "it has \(items.count.counted("item")), removed ones included, and \(greatest.count) were added"
    }
    guard let wrong = items.first(where: { greatest[$0.id]?.text != $0.text }) else { return nil }
    return "its item \(wrong.id) \(difference(wrong.text, greatest[wrong.id]?.text ?? "{}"))"
  }

  /// The members of an item that differ from those of its greatest version, with both values.
  private func difference(_ text: String, _ greatest: String) -> String {
    let (ours, theirs) = (try? JSON(parsing: text), try? JSON(parsing: greatest))
    let keys = Set(((ours?.object ?? []) + (theirs?.object ?? [])).map(\.key)).sorted()
    let parts = keys.filter { ours?[$0] != theirs?[$0] }.map { key in
      "has \(key) \(ours?[key]?.text() ?? "none"), and its greatest version \(theirs?[key]?.text() ?? "none")"
    }
    return parts.joined(separator: "; ")
  }

  /// Decides a conflict again in a simple way, and returns what is wrong with the decision, as a sentence; nil if nothing is:
  /// the result has the stamp and the mark of deletion of the greater version.
  @Sendable package func judge(_ entry: ConflictEntry) -> String? {
    if let violation = MergeLaws.violation(by: entry) { return violation }
    guard let local = entry.local, let server = entry.server, let ours = try? local.fields.decoded(),
      let theirs = try? server.fields.decoded(), entry.winner == .local || entry.winner == .server,
      ["updatedAt", "alive", "content"].contains(entry.rule)
    else { return nil }
    let field = items(of: entry.recordID)
    let isLocalGreater: Bool
    if ours.editedAt != theirs.editedAt {
      isLocalGreater = ours.editedAt > theirs.editedAt
    } else if ours.isDeleted != theirs.isDeleted {
      isLocalGreater = theirs.isDeleted
    } else {
      isLocalGreater = header(theirs, field).lexicographicallyPrecedes(header(ours, field))
    }
    guard header(ours, field) != header(theirs, field), isLocalGreater != (entry.winner == .local) else { return nil }
    return "\(entry.recordID.words): \(entry.winner.rawValue) won by \(entry.rule), and the other version is greater"
  }

  private func header(_ fields: Fields, _ items: Name?) -> [UInt8] {
    var header = fields
    if let items { header[items] = nil }
    return EncodedFields(header).utf8
  }

  // MARK: Sums of days

  /// Returns what is wrong with the sums of days, in the cloud and on a device that agrees with it, a sentence for each: they
  /// are those of the documents of the day.
  @Sendable package func judgeAgreement(_ records: [RecordID: RecordContent], _ view: AppView) -> [String] {
    guard let summary = app.schema.summary else { return [] }
    let cloud = records.compactMapValues { try? $0.fields.decoded() }
    var device: [RecordID: Fields] = [:]
    for type in [summary.source, summary.collection] {
      for record in (try? view.store.records(ofType: type)) ?? [] {
        // The cloud's sums are without an edit that it refused.
        let content = record.quarantine == nil ? record.local : record.server?.content
        device[record.recordID] = (try? content?.fields.decoded()) ?? nil
      }
    }
    return flaws(ofSumsIn: cloud, "the cloud", summary) + flaws(ofSumsIn: device, "the device", summary)
  }

  private func flaws(
    ofSumsIn documents: [RecordID: Fields], _ place: String, _ summary: DocumentSchema.Summary
  ) -> [String] {
    let summed = app.schema.summed
    let itemField = app.schema.collection(summary.source)?.items?.name
    var sums: [String: [Name: Int64]] = [:]
    var shown: [String: Fields] = [:]
    for (id, fields) in documents {
      guard let name = DocumentName(recordName: id.recordName, in: .documents) else { continue }
      if name.collection == summary.collection { shown[name.id] = fields }
      guard name.collection == summary.source, !fields.isDeleted, case .string(let day)? = fields[summary.day] else {
        continue
      }
      let items = (itemField.flatMap { fields.items(in: $0) } ?? []).filter { !$0.isRemoved }
      let totals = DocumentTotals(of: items, summed)
      sums[day, default: [:]][summary.documents, default: 0] += 1
      sums[day, default: [:]][summary.items, default: 0] += Int64(items.count)
      for amount in summed.names {
        let (sum, isTooLarge) = (sums[day]?[amount] ?? 0).addingReportingOverflow(totals[amount])
        sums[day, default: [:]][amount] = isTooLarge ? .max : sum
      }
    }
    return shown.sorted { $0.key < $1.key }.flatMap { day, shown in
      (summed.counts + summed.names).compactMap { name -> String? in
        let sum = sums[day]?[name] ?? 0
        guard shown[name] != .int64(sum) else { return nil }
        return "in \(place) \(name) of \(day) is \(shown[name].words), and that of its documents \(sum)"
      }
    }
  }

  // MARK: Parts

  private func collection(of id: RecordID) -> DocumentCollection? {
    DocumentName(recordName: id.recordName, in: .documents).flatMap { app.schema.collection($0.collection) }
  }

  /// The field with the items of a document; nil if its collection has none.
  private func items(of id: RecordID) -> Name? { collection(of: id)?.items?.name }
}
