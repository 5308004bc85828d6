import ZoneKitDeviceHost
import ZoneKitDocuments
import ZoneKitRecords

/// Takes the members of documents and items from the rows of a foreign file.
struct DocumentMapping {
  let reader: SourceReader

  /// The value of a member; nil if the row has none.
  func value(
    _ rule: ImportMapping.FieldRule, _ member: DocumentMember, in row: SourceTable.Row
  ) throws(SourceReader.Failure) -> FieldValue? {
    guard let cell = reader.cell(rule, in: row) else {
      guard member.canLack else {
        throw SourceReader.Failure(
          offset: row.offset, message: "\(rule.name) has no value in this row; it has to be \(member.expectation)")
      }
      return nil
    }
    let value: FieldValue
    switch member.kind {
    case .text, .choice, .documentID: value = .string(cell.text)
    case .day: value = .string(try day(cell, rule))
    case .time: value = .timestamp(try reader.time(cell, rule))
    case .integer: value = .int64(try reader.integer(cell, rule))
    case .number: value = .double(try reader.number(cell, rule))
    case .boolean: value = .int64(cell.text == "true" ? 1 : cell.text == "false" ? 0 : 2)
    case .items: value = .unknownList
    }
    guard member.accepts(value) else {
      var guess: String?
      if case .choice(let words) = member.kind { guess = NearMiss.guess(for: cell.text, among: words) }
      throw SourceReader.Failure(
        offset: cell.offset,
        message: "\(rule.name) is \"\(cell.text)\"; expected \(member.expectation)"
          + (guess.map { "; did you mean \($0)?" } ?? ""))
    }
    return value
  }

  /// The text of a day: in the pattern of the rule or of the file, otherwise as it is.
  private func day(
    _ cell: SourceTable.Cell, _ rule: ImportMapping.FieldRule
  ) throws(SourceReader.Failure) -> String {
    guard rule.dates ?? reader.mapping.dates != nil else { return cell.text }
    return TimeZoneRules.utc.day(of: try reader.local(cell, rule))
  }
}
