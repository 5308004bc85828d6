import ZoneKitRecords

/// The members of a JSON object, with errors that name the path. A member that is null counts as absent.
struct JSONMembers {
  /// The longest duration in a fault, in milliseconds: a year.
  static let longest: Int64 = 365 * 24 * 3600 * 1000

  private let object: JSON
  private let path: String

  /// The members of the object. Throws if it has members other than the known ones.
  init(_ object: JSON, at path: String, known: [String]) throws(MemberError) {
    guard let members = object.object else {
      throw MemberError(path, "must be an object, and is \(object.kind)")
    }
    for member in members where !known.contains(member.key) {
      throw MemberError("\(path).\(member.key)", "is unknown; there are \(known.joined(separator: ", "))")
    }
    self.object = object
    self.path = path
  }

  /// The error for a member with a wrong value.
  func wrong(_ key: String, _ problem: String) -> MemberError {
    MemberError("\(path).\(key)", problem)
  }

  /// The string of that key; nil if it is absent.
  func text(_ key: String) throws(MemberError) -> String? {
    guard let value = member(key) else { return nil }
    guard let text = value.string else { throw wrong(key, "must be a string, and is \(value.kind)") }
    return text
  }

  /// The integer of that key; nil if it is absent.
  func integer(_ key: String, in range: ClosedRange<Int64>) throws(MemberError) -> Int64? {
    guard let value = member(key) else { return nil }
    guard let number = value.integer, range.contains(number) else {
      throw wrong(key, "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// The array of strings of that key; nil if it is absent.
  func texts(_ key: String) throws(MemberError) -> [String]? {
    guard let value = member(key) else { return nil }
    let texts = value.array?.compactMap(\.string)
    guard let texts, texts.count == value.array?.count else { throw wrong(key, "must be an array of strings") }
    return texts
  }

  /// The non-empty string of that key. `what` names the expected value in the error.
  func required(_ key: String, _ what: String) throws(MemberError) -> String {
    guard let text = try text(key), !text.isEmpty else { throw wrong(key, "must be \(what)") }
    return text
  }

  /// The word of that key; nil if it is absent. `problem` is the error for an unknown one.
  func word<Word: RawRepresentable<String>>(_ key: String, _ problem: String) throws(MemberError) -> Word? {
    guard let text = try text(key) else { return nil }
    guard let word = Word(rawValue: text) else { throw wrong(key, problem) }
    return word
  }

  /// The time of that key; nil if it is absent.
  func time(_ key: String) throws(MemberError) -> WallTime? {
    guard let text = try text(key) else { return nil }
    guard let time = WallTime(iso8601: text) else { throw wrong(key, "must be \(Self.timeForm)") }
    return time
  }

  /// The time of that key, which must be there.
  func requiredTime(_ key: String) throws(MemberError) -> WallTime {
    guard let time = try time(key) else { throw wrong(key, "must be \(Self.timeForm)") }
    return time
  }

  private static let timeForm = "a time such as 2026-11-21T08:00:00Z"

  private func member(_ key: String) -> JSON? {
    guard let value = object[key], !value.isNull else { return nil }
    return value
  }
}
