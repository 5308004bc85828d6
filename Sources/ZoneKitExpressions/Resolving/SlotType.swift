import ZoneKitRelations

/// A type as the choice of an operator or function sees it: that of a value, or that which a parameter takes.
enum SlotType: Hashable {
  /// A literal whose type is not known.
  case unknown
  /// A span of time.
  case interval
  /// A time of day with a zone, which no value has here.
  case zonedTime
  /// Any other type that no value has here.
  case foreign
  /// A type of values, without limits.
  case value(DatumType)
  /// Any type, for each value another one.
  case any
  /// Any type.
  case anyElement
  /// Any array.
  case anyArray
  /// Anything but an array.
  case anyNonArray
  /// Any enum.
  case anyEnum
  /// Any type that the others can be converted to.
  case anyCompatible
  /// An array of such a type.
  case anyCompatibleArray

  /// The group of types within which PostgreSQL prefers some.
  enum Category: Hashable {
    case boolean, number, text, time, span, array, enumeration, other, unknown
  }

  /// The group of the type.
  var category: Category {
    switch self {
    case .unknown: .unknown
    case .interval: .span
    case .zonedTime: .time
    case .foreign, .any, .anyElement, .anyArray, .anyNonArray, .anyEnum, .anyCompatible, .anyCompatibleArray: .other
    case .value(let type):
      switch type {
      case .boolean: .boolean
      case .smallint, .integer, .bigint, .numeric, .real, .doublePrecision: .number
      case .text, .varchar, .char: .text
      case .date, .time, .timestamp, .timestamptz: .time
      case .array: .array
      case .enumeration: .enumeration
      case .uuid, .json, .jsonb, .bytea: .other
      }
    }
  }

  /// Whether it is the type that its group prefers.
  var isPreferred: Bool {
    switch self {
    case .value(.boolean), .value(.doublePrecision), .value(.text), .value(.timestamptz), .interval: true
    default: false
    }
  }

  /// The type's name in messages.
  var name: String {
    switch self {
    case .interval: "interval"
    case .zonedTime: "time with time zone"
    case .value(let type): type.name
    default: "unknown"
    }
  }

  /// Whether a value of the type may be given where a parameter has the other one.
  func canBe(_ parameter: SlotType) -> Bool {
    if self == .unknown || self == parameter { return true }
    switch (self, parameter) {
    case (_, .any), (_, .anyElement), (_, .anyCompatible): return true
    case (.value(.array), let parameter): return canBeArray(parameter)
    case (.value(let type), .anyEnum): if case .enumeration = type { return true } else { return false }
    case (_, .anyNonArray): return true
    case (.value(.time), .interval), (.value(.time), .zonedTime): return true
    case (.value(let own), .value(let other)): return CastContext.needed(from: own, to: other) == .implicit
    default: return false
    }
  }

  private func canBeArray(_ parameter: SlotType) -> Bool {
    switch (self, parameter) {
    case (_, .anyArray), (_, .anyCompatibleArray): true
    case (.value(let own), .value(let other)): CastContext.needed(from: own, to: other) == .implicit
    default: false
    }
  }
}

/// Where a conversion takes place. One that is allowed at one place is also allowed at those behind it.
enum CastContext: Int, Comparable {
  /// A value is used where another type is needed.
  case implicit
  /// A value is written to a column.
  case assignment
  /// A cast is written.
  case explicit

  static func < (first: CastContext, second: CastContext) -> Bool { first.rawValue < second.rawValue }

  /// The first place where a type is converted to another one; nil if it never is.
  static func needed(from own: DatumType, to other: DatumType) -> CastContext? {
    if own.unlimited == other.unlimited { return .implicit }
    if let own = own.numberRank, let other = other.numberRank { return own < other ? .implicit : .assignment }
    switch (own, other) {
    case (let own, let other) where own.isText && other.isText: return .implicit
    case (.date, .timestamp), (.date, .timestamptz), (.timestamp, .timestamptz): return .implicit
    case (.timestamptz, .timestamp), (.timestamptz, .date), (.timestamptz, .time), (.timestamp, .date),
      (.timestamp, .time), (.json, .jsonb), (.jsonb, .json):
      return .assignment
    case (.integer, .boolean), (.boolean, .integer), (.jsonb, .boolean): return .explicit
    case (.jsonb, let other) where other.numberRank != nil: return .explicit
    case (.array(let own), .array(let other)): return needed(from: own, to: other)
    case (_, let other) where other.isText: return .assignment
    case (let own, _) where own.isText: return .explicit
    default: return nil
    }
  }
}
