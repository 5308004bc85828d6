import ZoneKitDeviceHost
import ZoneKitDocuments
import ZoneKitRecords

/// The values of members of documents and items, as users type and read them.
enum MemberWord {
  /// The member of that name. Throws a sentence with the nearest name if there is none.
  static func member(
    _ word: String, among members: [DocumentMember], of owner: String
  ) throws(AppRefusal) -> DocumentMember {
    if let member = members.first(where: { $0.name.text == word }) { return member }
    let names = members.map(\.name.text)
    let guess = NearMiss.guess(for: word, among: names).map { "; did you mean \($0)?" }
    throw AppRefusal("\(owner) has no member \(word)\(guess ?? "; there are \(names.joined(separator: ", "))")")
  }

  /// The value of an assignment for a member; nil for `none`. Throws if the member cannot have it.
  static func value(
    of typed: CommandWords.Assignment, _ member: DocumentMember, now: WallTime, in zone: TimeZoneRules
  ) throws(AppRefusal) -> FieldValue? {
    if typed.list == nil, typed.value == CommandWords.Word("none") {
      guard member.isOptional else {
        throw AppRefusal("\(member.name) cannot be removed; it has to be \(member.expectation)")
      }
      return nil
    }
    let text = typed.value.text
    let value: FieldValue? =
      switch member.kind {
      case .text, .choice, .documentID: .string(text)
      case .day: .string(text == "today" ? zone.day(of: now) : text)
      case .time: (try? TimeWord(parsing: text)).map { .timestamp($0.resolved(now: now, in: zone)) }
      case .integer: Int64(text).map { .int64($0) }
      case .number: Double(text).map { .double($0 == 0 ? 0 : $0) }
      case .boolean: text == "true" || text == "false" ? .int64(text == "true" ? 1 : 0) : nil
      case .items: nil
      }
    guard let value, member.accepts(value) else {
      var guess: String?
      if case .choice(let words) = member.kind { guess = NearMiss.guess(for: text, among: words) }
      throw AppRefusal(
        "\"\(text)\" is no value for \(member.name); expected \(member.expectation)"
          + (guess.map { "; did you mean \($0)?" } ?? ""))
    }
    return value
  }

  /// The word that users read of a value, and with which they give a member that value.
  static func text(of value: FieldValue, _ member: DocumentMember?) -> String {
    switch value {
    case .string(let text):
      text.isEmpty || text == "none" || text.contains { $0.isWhitespace || $0 == "\"" } || text.hasPrefix("[")
        ? CommandWords.Word(text, isQuoted: true).source : text
    case .int64(let number): if case .boolean? = member?.kind { number == 1 ? "true" : "false" } else { "\(number)" }
    case .double(let number): "\(number)"
    case .timestamp(let time): time.iso8601
    default: ""
    }
  }

  // MARK: Items

  /// The value of an item's member; nil if it has none.
  static func value(ofItem item: DocumentItem, _ member: DocumentMember) -> FieldValue? {
    guard let json = item.json[member.name.text] else { return nil }
    return switch member.kind {
    case .text, .day, .choice, .documentID: json.string.map { .string($0) }
    case .time: json.integer.map { .timestamp(WallTime(milliseconds: $0)) }
    case .integer, .boolean: json.wholeNumber.map { .int64($0) }
    case .number: json.number.map { .double($0) }
    case .items: nil
    }
  }

  /// The value as an item stores it.
  static func json(ofItem value: FieldValue) -> JSON {
    switch value {
    case .string(let text): .string(text)
    case .int64(let number): .integer(number)
    case .double(let number): .number(number)
    case .timestamp(let time): .integer(time.milliseconds)
    default: .null
    }
  }
}
