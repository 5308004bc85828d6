import ZoneKitRelations
import ZoneKitSchema

extension DatumType {
  /// The type that a column or a cast names. Throws for an enum that does not exist, and for types that no value has.
  package init(resolving type: SQLType, _ names: Names) throws(ExpressionProblem) {
    let element = try DatumType(type.kind, names, at: type.offset)
    self = type.isArray ? .array(element) : element
  }

  private init(_ kind: SQLType.Kind, _ names: Names, at offset: SourceOffset) throws(ExpressionProblem) {
    switch kind {
    case .uuid: self = .uuid
    case .text: self = .text
    case .varchar(let length): self = .varchar(length)
    case .char(let length): self = .char(length)
    case .boolean: self = .boolean
    case .smallint, .smallserial: self = .smallint
    case .integer, .serial: self = .integer
    case .bigint, .bigserial: self = .bigint
    case .numeric(let precision?, let scale):
      self = .numeric(NumericLimit(precision: precision, scale: scale ?? 0))
    case .numeric: self = .numeric(nil)
    case .real: self = .real
    case .doublePrecision: self = .doublePrecision
    case .date: self = .date
    case .time(let digits): self = .time(digits)
    case .timestamp(let digits): self = .timestamp(digits)
    case .timestamptz(let digits): self = .timestamptz(digits)
    case .json: self = .json
    case .jsonb: self = .jsonb
    case .bytea: self = .bytea
    case .interval: throw ExpressionProblem(.notSupported, "a value of the type interval is not supported", at: offset)
    case .named(let name):
      guard let type = names.enumeration(name) else {
        throw ExpressionProblem(.unknownObject, "type \"\(name.plain)\" does not exist", at: name.offset)
      }
      self = .enumeration(type)
    }
  }

  /// The type without its limits.
  package var unlimited: DatumType {
    switch self {
    case .numeric: .numeric(nil)
    case .varchar: .varchar(nil)
    case .char: .char(0)
    case .time: .time(nil)
    case .timestamp: .timestamp(nil)
    case .timestamptz: .timestamptz(nil)
    case .array(let element): .array(element.unlimited)
    default: self
    }
  }

  /// The type of the elements; nil if it is no array.
  package var element: DatumType? { if case .array(let element) = self { element } else { nil } }

  /// Whether it is a text of any kind.
  var isText: Bool {
    switch self {
    case .text, .varchar, .char: true
    default: false
    }
  }

  /// The place among the types of numbers, of which each can stand for those before it; nil for another type.
  var numberRank: Int? {
    switch self {
    case .smallint: 0
    case .integer: 1
    case .bigint: 2
    case .numeric: 3
    case .real: 4
    case .doublePrecision: 5
    default: nil
    }
  }
}

extension SQLName {
  /// The name with its schema, without quotes, as PostgreSQL's messages state it.
  package var plain: String { schema.map { "\($0).\(name)" } ?? name }
}
