import ZoneKitDeviceHost
import ZoneKitDocuments
import ZoneKitRecords

/// A member of a document or item as users name it, with the unit in which they type numbers.
struct FieldWord: Hashable, Sendable {
  /// The user's word.
  let word: String
  /// The member.
  let member: DocumentMember
  /// The number of decimals that users may type; the member counts in the smallest unit of them.
  let decimals: Int

  /// The words that are not names of members, each with the member and its decimals.
  private static let short: [(word: String, member: Name, decimals: Int)] = [
    ("kcal", "energyKcal", 0), ("protein", "proteinMg", 3), ("carbs", "carbsMg", 3), ("fat", "fatMg", 3),
    ("fat", "bodyFatPermille", 1), ("fiber", "fiberMg", 3), ("sugar", "sugarMg", 3), ("sodium", "sodiumMg", 0),
    ("weight", "weightG", 3), ("amount", "quantityMilli", 3), ("day", "loggedDate", 0), ("time", "loggedAt", 0),
    ("meal", "mealType", 0), ("start", "startDate", 0),
  ]

  /// The amounts of a food.
  static let amounts = short.filter { DietLog.amounts.contains($0.member) }.map(\.word)

  /// The member that a word names among some. A member's own name is a word too.
  init(_ word: String, among members: [DocumentMember], of owner: String) throws(AppRefusal) {
    for entry in Self.short where entry.word == word {
      guard let member = members.first(where: { $0.name == entry.member }) else { continue }
      (self.word, self.member, decimals) = (word, member, entry.decimals)
      return
    }
    guard let member = members.first(where: { $0.name.text == word }) else {
      let words = members.map { Self.word(for: $0) }.joined(separator: ", ")
      throw AppRefusal("\(owner) has no field \"\(word)\" to edit; there are \(words)")
    }
    (self.word, self.member, decimals) = (word, member, 0)
  }

  /// The word for a member.
  static func word(for member: DocumentMember) -> String {
    short.first { $0.member == member.name }?.word ?? member.name.text
  }

  /// The number of decimals in which users read a member.
  static func decimals(of member: Name) -> Int { short.first { $0.member == member }?.decimals ?? 0 }

  /// The member's value of a word on a device in that time zone; nil for `none` without quotes. Throws if the member
  /// cannot have the value.
  func value(_ typed: CommandWords.Word, now: WallTime, in zone: TimeZoneRules) throws(AppRefusal) -> FieldValue? {
    if typed == CommandWords.Word("none") {
      guard member.isOptional else { throw AppRefusal("\(word) cannot be removed; it has to be \(expectation)") }
      return nil
    }
    let value: FieldValue? =
      switch member.kind {
      case .integer: DecimalWord.number(typed.text, decimals: decimals).map { .int64($0) }
      case .time: .timestamp(try TimeWord(parsing: typed.text).resolved(now: now, in: zone))
      case .text, .day, .choice, .documentID: .string(typed.text)
      case .number, .boolean, .items: nil
      }
    guard let value, member.accepts(value) else {
      throw AppRefusal("\"\(typed.text)\" is no value for \(word); expected \(expectation)")
    }
    return value
  }

  /// What the value has to be, in the user's unit.
  private var expectation: String {
    guard case .integer(let range) = member.kind, decimals > 0 else { return member.expectation }
    let (low, high) = (DecimalWord.text(range.lowerBound, decimals), DecimalWord.text(range.upperBound, decimals))
    return "a number from \(low) to \(high) with at most \(decimals.counted("decimal"))"
  }
}

/// Numbers with a fixed count of decimals, which are stored as integers of the smallest unit.
enum DecimalWord {
  /// The number of smallest units in a text such as `60` or `0.25`; nil if it is not a number, or has more decimals.
  static func number(_ text: String, decimals: Int) -> Int64? {
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), !parts[0].isEmpty, parts[0].count <= 12 else { return nil }
    let fraction = parts.count == 2 ? Array(parts[1]) : []
    guard fraction.count <= decimals, parts.count == 1 || !fraction.isEmpty else { return nil }
    var value: Int64 = 0
    for byte in Array(parts[0]) + fraction {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
      value = value * 10 + Int64(byte - UInt8(ascii: "0"))
    }
    for _ in fraction.count..<decimals { value *= 10 }
    return value
  }

  /// The shortest text of a number of smallest units.
  static func text(_ value: Int64, _ decimals: Int) -> String {
    var (whole, fraction) = (value, "")
    for _ in 0..<decimals {
      let digit = whole % 10
      if digit != 0 || !fraction.isEmpty { fraction = "\(digit)\(fraction)" }
      whole /= 10
    }
    return fraction.isEmpty ? "\(whole)" : "\(whole).\(fraction)"
  }
}
