import ZoneKitRelations
import ZoneKitSchema

/// A part of an expression whose type may still depend on where it is used.
struct Operand {
  /// What the part is.
  enum Value {
    /// A computation with a type.
    case typed(TypedExpression)
    /// A text that becomes a value of the type that is needed; nil for null.
    case literal(String?)
    /// A constant span of time.
    case interval(Interval)
  }

  /// What the part is.
  var value: Value
  /// Where it is written.
  var offset: SourceOffset

  /// The type of the part.
  var slot: SlotType {
    switch value {
    case .typed(let expression): .value(expression.type.unlimited)
    case .literal: .unknown
    case .interval: .interval
    }
  }
}
