import ZoneKitRecords

extension RowValue {
  /// Reads a value from a body. Numbers and Booleans may be texts, as in PostgreSQL.
  package init(_ json: JSON, as type: ColumnType) throws(RowError) {
    switch json {
    case .null: self = .null
    case .string(let text): try self.init(text: text, as: type)
    case .bool(let bool) where type == .bool: self = .bool(bool)
    case .integer(let number) where type == .float8: self = .float8(Double(number))
    case .number(let number) where type == .float8: self = .float8(number + 0)
    case .integer(let number) where type == .int4: self = try Self.int4(Int(number))
    case .number(let number) where type == .int4:
      guard let whole = Int(exactly: number) else { throw .invalid(json.text(), as: type) }
      self = try Self.int4(whole)
    case .verbatim(let value) where value.string != nil || type != .text:
      // A whole number may be written with a fraction.
      if type == .int4, let whole = value.number.flatMap({ Int(exactly: $0) }) {
        self = try Self.int4(whole)
      } else {
        try self.init(text: value.string ?? value.text, as: type)
      }
    case .bool, .integer, .number, .verbatim, .array, .object:
      guard type == .text else { throw .invalid(json.text(), as: type) }
      self = .text(json.text())
    }
  }

  /// Reads a value from the text of a filter or of a string in a body.
  package init(text: String, as type: ColumnType) throws(RowError) {
    switch type {
    case .text:
      guard !text.utf8.contains(0) else { throw .invalid(text, as: type) }
      self = .text(text)
    case .uuid:
      guard let id = UUID(text) else { throw .invalid(text, as: type) }
      self = .uuid(id)
    case .timestamp:
      guard let time = WallTime(timestamp: text) else { throw .invalid(text, as: type) }
      self = .timestamp(time)
    case .bool:
      guard let bool = Self.booleans[text.lowercased()] else { throw .invalid(text, as: type) }
      self = .bool(bool)
    case .float8: self = .float8(try Self.float8(text))
    case .int4:
      guard let number = Int(text) else {
        throw text.isDecimal ? Self.beyondRange(text) : .invalid(text, as: type)
      }
      self = try Self.int4(number)
    }
  }

  private static let booleans = ["true": true, "t": true, "1": true, "false": false, "f": false, "0": false]

  /// A number that is not zero does not become zero or infinite.
  private static func float8(_ text: String) throws(RowError) -> Double {
    guard let number = Double(text), !number.isNaN, number.isFinite || text.utf8.contains(where: \.isDigit) else {
      throw .invalid(text, as: .float8)
    }
    let mantissa = text.prefix { $0 != "e" && $0 != "E" }
    guard number.isFinite, number != 0 || !mantissa.contains(where: { "123456789".contains($0) }) else {
      throw RowError(.outOfRange, "\"\(text)\" is out of range for type double precision")
    }
    return number + 0
  }

  private static func int4(_ number: Int) throws(RowError) -> RowValue {
    guard let small = Int32(exactly: number) else { throw beyondRange("\(number)") }
    return .int4(small)
  }

  private static func beyondRange(_ text: String) -> RowError {
    RowError(.outOfRange, "value \"\(text)\" is out of range for type integer")
  }
}

extension String {
  fileprivate var isDecimal: Bool {
    let digits = utf8.drop { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") }
    return !digits.isEmpty && digits.allSatisfy(\.isDigit)
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
