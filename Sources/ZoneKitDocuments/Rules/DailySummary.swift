import ZoneKitRecords

/// The sums of a day: one part for each document of the day that is not deleted. The server keeps it with the documents.
package struct DailySummary: Hashable, Sendable {
  /// The part of one document.
  private struct Part: Hashable, Sendable {
    let items: Int64
    let totals: DocumentTotals
    let text: String
  }

  private var parts: [String: Part] = [:]

  /// A day without documents.
  package init() {}

  /// The field with the parts, which never leaves the server.
  package static let parts: Name = "parts"

  /// The summary in the fields of its record; nil if the fields are those of none.
  package init?(_ fields: Fields, amounts: DocumentAmounts) {
    switch fields[Self.parts] {
    case .stringList(let texts)?:
      for text in texts {
        // Another program may have written the text in another way.
        guard let (id, part) = Self.part(text, amounts) ?? Self.part(rewritten: text, amounts) else { return nil }
        parts[id] = part
      }
    case .unknownList?: break
    default: return nil
    }
  }

  private static func part(rewritten text: String, _ amounts: DocumentAmounts) -> (id: String, part: Part)? {
    (try? JSON(parsing: text)).flatMap { part($0.text(.canonical), amounts) }
  }

  /// The part with that canonical text and the ID of its document; nil if the text is not that of a part.
  private static func part(_ text: String, _ amounts: DocumentAmounts) -> (id: String, part: Part)? {
    var totals = DocumentTotals(amounts)
    var (id, items): (String?, Int64?)
    let bytes = text.utf8.span
    var walk = ObjectWalk(0..<bytes.count, amounts.partLayout)
    do throws(StoreError) {
      while let entry = try walk.next(in: bytes) {
        let value = bytes.extracting(entry.value)
        switch entry.place {
        case amounts.id: id = value.decodedString
        case amounts.items: items = Int64(canonical: value)
        case amounts.stamp: break
        default: totals.add(Int64(canonical: value) ?? 0, at: entry.place)
        }
      }
    } catch {
      return nil
    }
    guard let id, let items else { return nil }
    return (id, Part(items: items, totals: totals, text: text))
  }

  /// Puts the part of a document, in place of its earlier one. `items` are the items of the document; nil removes the part.
  package mutating func put(
    _ items: [DocumentItem]?, of id: String, stamp: WallTime, amounts: DocumentAmounts
  ) {
    guard let items else {
      parts[id] = nil
      return
    }
    let (totals, count) = (DocumentTotals(of: items, amounts), Int64(items.count { !$0.isRemoved }))
    var text: [UInt8] = []
    _ = amounts.partLayout.appendObject(to: &text) { place, output in
      switch place {
      case amounts.id: output.appendJSONString(id)
      case amounts.items: output.appendDecimal(count)
      case amounts.stamp: output.appendDecimal(stamp.milliseconds)
      default: output.appendDecimal(totals[place])
      }
      return true
    }
    parts[id] = Part(items: count, totals: totals, text: String(decoding: text, as: UTF8.self))
  }

  /// The fields of the summary's record. `stamp` is the time of the change.
  package func fields(stamp: WallTime, amounts: DocumentAmounts) -> Fields {
    var totals = DocumentTotals(amounts)
    for part in parts.values { totals.add(part.totals) }
    var fields = Fields()
    for (place, amount) in amounts.names.enumerated() { fields[amount] = .int64(totals[place]) }
    for (name, count) in zip(amounts.counts, [Int64(parts.count), parts.values.reduce(0) { $0 + $1.items }]) {
      fields[name] = .int64(count)
    }
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
}
