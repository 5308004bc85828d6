import ZoneKitRelations
import ZoneKitSchema

extension DatumType {
  /// The type that SQL names; nil for a name that `enumeration` does not know, and for a type that no column has. A serial
  /// type is that of its integers.
  init?(_ type: SQLType, enumeration: (SQLName) -> EnumType?) {
    let own: DatumType
    switch type.kind {
    case .uuid: own = .uuid
    case .text: own = .text
    case .varchar(let length): own = .varchar(length)
    case .char(let length): own = .char(length)
    case .boolean: own = .boolean
    case .smallint, .smallserial: own = .smallint
    case .integer, .serial: own = .integer
    case .bigint, .bigserial: own = .bigint
    case .numeric(let precision, let scale):
      own = .numeric(precision.map { NumericLimit(precision: $0, scale: scale ?? 0) })
    case .real: own = .real
    case .doublePrecision: own = .doublePrecision
    case .date: own = .date
    case .time(let digits): own = .time(digits)
    case .timestamp(let digits): own = .timestamp(digits)
    case .timestamptz(let digits): own = .timestamptz(digits)
    case .interval: return nil
    case .json: own = .json
    case .jsonb: own = .jsonb
    case .bytea: own = .bytea
    case .named(let name):
      guard let type = enumeration(name) else { return nil }
      own = .enumeration(type)
    }
    self = type.isArray ? .array(own) : own
  }
}
