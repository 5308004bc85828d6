/// The type of a column's values.
package indirect enum DatumType: Hashable, Sendable {
  /// True or false.
  case boolean
  /// An integer of 16 bits.
  case smallint
  /// An integer of 32 bits.
  case integer
  /// An integer of 64 bits.
  case bigint
  /// A decimal number, limited to that many digits of which so many are behind the point; of any size for nil.
  case numeric(NumericLimit?)
  /// A floating-point number of 32 bits.
  case real
  /// A floating-point number of 64 bits.
  case doublePrecision
  /// A text of any length.
  case text
  /// A text of at most that many characters; of any number for nil.
  case varchar(Int?)
  /// A text that is padded with blanks to that many characters.
  case char(Int)
  /// A universally unique identifier.
  case uuid
  /// A day.
  case date
  /// A time of day with that many digits behind the seconds; six for nil.
  case time(Int?)
  /// A day and time of day without a zone.
  case timestamp(Int?)
  /// A moment.
  case timestamptz(Int?)
  /// A JSON text.
  case json
  /// A JSON value.
  case jsonb
  /// Bytes.
  case bytea
  /// A type with the values that a schema lists.
  case enumeration(EnumType)
  /// An array of one dimension.
  case array(DatumType)

  /// The limit of a decimal number.
  package struct NumericLimit: Hashable, Sendable {
    /// The most digits that count.
    package var precision: Int
    /// How many of them are behind the point.
    package var scale: Int

    /// That limit.
    package init(precision: Int, scale: Int) {
      self.precision = precision
      self.scale = scale
    }
  }

  /// A type with listed values.
  package struct EnumType: Hashable, Sendable {
    /// The type's name.
    package var name: String
    /// The values, in their order.
    package var labels: [String]

    /// A type with those values.
    package init(_ name: String, _ labels: [String]) {
      self.name = name
      self.labels = labels
    }
  }
}

extension DatumType {
  /// The type's name without its limits, as PostgreSQL's messages state it.
  package var name: String {
    switch self {
    case .boolean: "boolean"
    case .smallint: "smallint"
    case .integer: "integer"
    case .bigint: "bigint"
    case .numeric: "numeric"
    case .real: "real"
    case .doublePrecision: "double precision"
    case .text: "text"
    case .varchar: "character varying"
    case .char: "character"
    case .uuid: "uuid"
    case .date: "date"
    case .time: "time without time zone"
    case .timestamp: "timestamp without time zone"
    case .timestamptz: "timestamp with time zone"
    case .json: "json"
    case .jsonb: "jsonb"
    case .bytea: "bytea"
    case .enumeration(let type): type.name
    case .array(let element): "\(element.name)[]"
    }
  }

  /// The type's name with its limits, as PostgreSQL lists columns.
  package var fullName: String {
    switch self {
    case .numeric(let limit?): "numeric(\(limit.precision),\(limit.scale))"
    case .varchar(let length?): "character varying(\(length))"
    case .char(let length): "character(\(length))"
    case .time(let digits?): "time(\(digits)) without time zone"
    case .timestamp(let digits?): "timestamp(\(digits)) without time zone"
    case .timestamptz(let digits?): "timestamp(\(digits)) with time zone"
    case .array(let element): "\(element.fullName)[]"
    default: name
    }
  }
}
