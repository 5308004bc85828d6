import ZoneKitRecords

/// The sums of a day: one part for each document of the day that is not deleted. The server keeps it with the documents.
package struct DailySummary: Hashable, Sendable {
  /// The part of one document.
  private struct Part: Hashable, Sendable {
    let items: Int64
    let sums: [Name: Int64]
    let text: String
  }

  private var parts: [String: Part] = [:]

  /// A day without documents.
  package init() {}

  /// The fields with the numbers of documents and items.
  static let counts: [Name] = ["meals", "items"]

  /// The field with the parts, which never leaves the server.
  package static let parts: Name = "parts"

  /// The summary in the fields of its record; nil if the fields are those of none.
  package init?(_ fields: Fields, amounts: [Name]) {
    switch fields[Self.parts] {
    case .stringList(let texts)?:
      for text in texts {
        guard let json = try? JSON(parsing: text), let id = json["_id"]?.string, let items = json["items"]?.integer
        else { return nil }
        parts[id] = Part(items: items, sums: Self.sums(json, amounts), text: text)
      }
    case .unknownList?: break
    default: return nil
    }
  }

  private static func sums(_ json: JSON, _ amounts: [Name]) -> [Name: Int64] {
    Dictionary(uniqueKeysWithValues: amounts.map { ($0, json[$0.text]?.integer ?? 0) })
  }

  /// Puts the part of a document, in place of its earlier one. `items` are the items of the document; nil removes the part.
  package mutating func put(_ items: [DocumentItem]?, of id: String, stamp: WallTime, amounts: [Name]) {
    guard let items else {
      parts[id] = nil
      return
    }
    let (totals, count) = (DocumentTotals(of: items, amounts), Int64(items.count { !$0.isRemoved }))
    let members = [
      JSON.Member("_id", .string(id)), JSON.Member("items", .integer(count)),
      JSON.Member("updatedAt", .integer(stamp.milliseconds)),
    ]
    let sums = Dictionary(uniqueKeysWithValues: amounts.map { ($0, totals[$0]) })
    let text = JSON.object(members + amounts.map { JSON.Member($0.text, .integer(totals[$0])) }).text(.canonical)
    parts[id] = Part(items: count, sums: sums, text: text)
  }

  /// The fields of the summary's record. `stamp` is the time of the change.
  package func fields(stamp: WallTime, amounts: [Name]) -> Fields {
    var fields = Fields()
    let totals = totals(amounts)
    for amount in amounts { fields[amount] = .int64(totals[amount]) }
    fields["meals"] = .int64(Int64(parts.count))
    fields["items"] = .int64(items)
    fields[Self.parts] = .stringList(parts.sorted { $0.key.utf8.span.comesBefore($1.key.utf8.span) }.map(\.value.text))
    fields[.documentStamp] = .timestamp(stamp)
    return fields
  }

  /// The content that clients get.
  package static func shown(_ content: EncodedFields) -> EncodedFields {
    guard var shown = try? content.decoded() else { return content }
    shown[parts] = nil
    return EncodedFields(shown)
  }

  private var items: Int64 { parts.values.reduce(0) { $0 + $1.items } }

  private func totals(_ amounts: [Name]) -> DocumentTotals {
    var totals = DocumentTotals()
    for part in parts.values { for amount in amounts { totals.add(part.sums[amount] ?? 0, to: amount) } }
    return totals
  }
}
