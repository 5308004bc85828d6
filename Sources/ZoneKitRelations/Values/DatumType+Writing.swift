import ZoneKitRecords

extension DatumType {
  /// The value as PostgreSQL writes it; the empty text for null.
  package func text(of datum: Datum) -> String {
    switch datum {
    case .null: ""
    case .boolean(let bool): bool ? "t" : "f"
    case .integer(let number): "\(number)"
    case .numeric(let number): number.text
    case .double(let number): FloatingPointText.text(number, isSingle: self == .real)
    case .text(let text), .json(let text), .label(let text, _): text
    case .uuid(let id): id.text
    case .date(let days): CalendarText.date(days)
    case .time(let time): CalendarText.time(time)
    case .timestamp(let time): CalendarText.timestamp(time, zone: hasZone ? "+00" : "")
    case .jsonb(let value): value.text
    case .bytes(let bytes): ByteaText.text(bytes)
    case .array(let elements): ArrayText.text(elements, of: element)
    }
  }

  /// Appends the value as PostgreSQL's `to_json` writes it: numbers and truths as such, JSON as it is, anything else as a
  /// string.
  package func append(_ datum: Datum, toJSON bytes: inout [UInt8]) {
    switch datum {
    case .null: bytes += "null".utf8
    case .boolean(let bool): bytes += (bool ? "true" : "false").utf8
    case .integer, .json, .jsonb: bytes += text(of: datum).utf8
    case .numeric(let number) where number.isFinite: bytes.append(number)
    case .double(let number) where number.isFinite: bytes += text(of: datum).utf8
    // Nothing in the texts of these has to be escaped.
    case .timestamp(let time):
      bytes.append(UInt8(ascii: "\""))
      bytes.append(timestamp: time, between: "T", zone: hasZone ? "+00:00" : "")
      bytes.append(UInt8(ascii: "\""))
    case .uuid(let id):
      bytes.append(UInt8(ascii: "\""))
      bytes.append(id)
      bytes.append(UInt8(ascii: "\""))
    case .array(let elements):
      bytes.append(UInt8(ascii: "["))
      for (place, datum) in elements.enumerated() {
        if place > 0 { bytes.append(UInt8(ascii: ",")) }
        element.append(datum, toJSON: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .text(let text), .label(let text, _): bytes.appendJSONString(text)
    case .numeric, .double, .date, .time, .bytes: bytes.appendJSONString(text(of: datum))
    }
  }

  private var hasZone: Bool { if case .timestamptz = self { true } else { false } }

  /// The type of the elements; the type itself if it is no array.
  private var element: DatumType { if case .array(let element) = self { element } else { self } }
}

extension DatumType {
  /// Reads a value from JSON, as PostgreSQL's `json_populate_record` does: the text of a string, number or truth, the text of an
  /// object or array, and arrays element by element.
  package func datum(_ json: JSON, now: Int64) throws(SQLFailure) -> Datum {
    switch (self, json) {
    case (_, .null): return .null
    case (.jsonb, _): return .jsonb(try Self.jsonb(json))
    case (.json, _): return .json(json.text())
    case (.array(let element), .array(let elements)):
      var data: [Datum] = []
      for part in elements { data.append(try element.datum(part, now: now)) }
      return .array(data)
    case (_, .string(let text)): return try datum(text, now: now)
    case (_, .verbatim(let verbatim)): return try datum(verbatim.string ?? verbatim.text, now: now)
    case (.array, _):
      throw SQLFailure(
        .invalidText, "expected JSON array", hint: "See the value of key with an array as its type.")
    default: return try datum(json.text(), now: now)
    }
  }
}
