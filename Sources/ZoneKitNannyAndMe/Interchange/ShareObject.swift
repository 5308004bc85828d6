import ZoneKitRecords

/// An object of a file. It returns typed values, and records which members were read.
///
/// A member that is `null` counts as absent. Of a repeated name the last one counts. A value of another type is an
/// error.
struct ShareObject {
  let path: String
  private let members: [JSON.Member]
  private var asked: [String] = []

  init(_ json: JSON, at path: String) throws(ShareNote) {
    guard let members = json.object else { throw ShareNote(path, "expected an object, found \(json.kind)") }
    self.path = path
    self.members = members
  }

  mutating func value(_ key: String) -> JSON? {
    asked.append(key)
    return members.last { $0.key == key }.flatMap { $0.value.isNull ? nil : $0.value }
  }

  mutating func string(_ key: String) throws(ShareNote) -> String? {
    try read(key, "a string", \.string)
  }

  mutating func bool(_ key: String) throws(ShareNote) -> Bool? {
    try read(key, "true or false", \.bool)
  }

  mutating func time(_ key: String) throws(ShareNote) -> WallTime? {
    try read(key, "a date such as 2026-08-14T06:31:05Z") { $0.string.flatMap { WallTime(iso8601: $0) } }
  }

  mutating func integer(_ key: String, in range: ClosedRange<Int64>) throws(ShareNote) -> Int64? {
    try read(key, "a whole number from \(range.lowerBound) to \(range.upperBound)") { json in
      let value = json.integer ?? json.number.flatMap { Int64(exactly: $0) }
      return value.flatMap { range.contains($0) ? $0 : nil }
    }
  }

  mutating func degrees(_ key: String, limit: Double) throws(ShareNote) -> Double? {
    try read(key, "degrees from -\(limit) to \(limit)") { json in
      json.number.flatMap { $0.magnitude <= limit ? $0 : nil }
    }
  }

  mutating func choice<Choice: CaseIterable & RawRepresentable<String>>(_ key: String) throws(ShareNote) -> Choice? {
    try read(key, "one of \(Choice.list)") { $0.string.flatMap(Choice.init(rawValue:)) }
  }

  mutating func uuid(_ key: String) throws(ShareNote) -> Name {
    let what = "a UUID such as E9464B86-36B3-4E94-93C5-DCC2AF87B33D"
    return try demand(key, what, try read(key, what) { $0.string.flatMap(NannyZone.uuid) })
  }

  /// The value of a required member.
  func demand<Value>(_ key: String, _ what: String, _ value: Value?) throws(ShareNote) -> Value {
    guard let value else { throw ShareNote(ShareNote.path(path, key), "missing; expected \(what)") }
    return value
  }

  /// The members that were not read.
  var unknown: [ShareNote] {
    members.filter { !asked.contains($0.key) }.map {
      ShareNote(ShareNote.path(path, $0.key), "unknown key, kept out")
    }
  }

  private mutating func read<Value>(
    _ key: String, _ what: String, _ convert: (JSON) -> Value?
  ) throws(ShareNote) -> Value? {
    guard let json = value(key) else { return nil }
    guard let value = convert(json) else {
      let found = json.string.map { "\"\($0.prefix(40))\"" } ?? json.excerpt
      throw ShareNote(ShareNote.path(path, key), "expected \(what), found \(found)")
    }
    return value
  }
}
