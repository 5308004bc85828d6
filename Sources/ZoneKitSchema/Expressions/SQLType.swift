/// A type as a column or a cast names it.
package struct SQLType: Equatable, Sendable {
  /// The types that PostgreSQL has built in and a schema may use, and those that a schema names itself.
  package enum Kind: Equatable, Sendable {
    /// A universally unique identifier.
    case uuid
    /// A text of any length.
    case text
    /// A text of at most that many characters; of any number for nil.
    case varchar(length: Int?)
    /// A text padded to that many characters.
    case char(length: Int)
    /// True or false.
    case boolean
    /// An integer of 16 bits.
    case smallint
    /// An integer of 32 bits.
    case integer
    /// An integer of 64 bits.
    case bigint
    /// An integer of 16 bits that counts up; only as the type of a column.
    case smallserial
    /// An integer of 32 bits that counts up; only as the type of a column.
    case serial
    /// An integer of 64 bits that counts up; only as the type of a column.
    case bigserial
    /// A decimal number, with a limit of its digits if there are any of them, and the digits behind the point.
    case numeric(precision: Int?, scale: Int?)
    /// A floating-point number of 32 bits.
    case real
    /// A floating-point number of 64 bits.
    case doublePrecision
    /// A day.
    case date
    /// A time of day, with that many digits behind the seconds.
    case time(precision: Int?)
    /// A day and time of day, with that many digits behind the seconds.
    case timestamp(precision: Int?)
    /// A moment, with that many digits behind the seconds.
    case timestamptz(precision: Int?)
    /// A span of time; only in a cast.
    case interval
    /// A JSON text.
    case json
    /// A JSON value.
    case jsonb
    /// Bytes.
    case bytea
    /// A type that is not built in, such as an enum of the schema.
    case named(SQLName)
  }

  /// The type, or that of the elements of an array.
  package var kind: Kind
  /// Whether it is an array of one dimension.
  package var isArray: Bool
  /// Where the type is written.
  package var offset: SourceOffset

  /// A type of that kind.
  package init(_ kind: Kind, isArray: Bool = false, at offset: SourceOffset = SourceOffset(0)) {
    self.kind = kind
    self.isArray = isArray
    self.offset = offset
  }
}

extension SQLType.Kind {
  /// Whether there may be arrays of it. Whether a named type may is only known when the name is.
  var canBeElement: Bool {
    switch self {
    case .uuid, .text, .varchar, .boolean, .smallint, .integer, .bigint, .numeric, .real, .doublePrecision, .named: true
    case .char, .smallserial, .serial, .bigserial, .date, .time, .timestamp, .timestamptz, .interval, .json, .jsonb,
      .bytea:
      false
    }
  }
}

extension SQLType.Kind {
  /// The name in PostgreSQL's catalogue, which a result or an index gets that is a cast; nil for a type of the schema.
  package var catalogueName: String? {
    switch self {
    case .text: "text"
    case .varchar: "varchar"
    case .char: "bpchar"
    case .boolean: "bool"
    case .smallint: "int2"
    case .integer: "int4"
    case .bigint: "int8"
    case .numeric: "numeric"
    case .real: "float4"
    case .doublePrecision: "float8"
    case .date: "date"
    case .time: "time"
    case .timestamp: "timestamp"
    case .timestamptz: "timestamptz"
    case .uuid: "uuid"
    case .json: "json"
    case .jsonb: "jsonb"
    case .bytea: "bytea"
    case .named(let name): name.name
    default: nil
    }
  }
}
