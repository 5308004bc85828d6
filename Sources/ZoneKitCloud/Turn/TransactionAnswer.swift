/// The answer of a transaction, whose type only its sender knows.
package struct TransactionAnswer: Hashable, Sendable {
  private let content: any Content
  /// The approximate number of bytes of the answer.
  package let size: Int

  /// That answer.
  package init(_ value: some Hashable & Sendable, size: Int) {
    content = Typed(value: value)
    self.size = size
  }

  /// The answer; nil if it is of another type.
  package func value<Value: Hashable & Sendable>(as type: Value.Type) -> Value? { (content as? Typed<Value>)?.value }

  /// Whether both answers are equal values of one type.
  package static func == (first: TransactionAnswer, second: TransactionAnswer) -> Bool {
    first.content.isEqual(to: second)
  }

  /// Hashes the answer.
  package func hash(into hasher: inout Hasher) { content.combine(into: &hasher) }

  /// A value whose type is not stated.
  private protocol Content: Sendable {
    func isEqual(to answer: TransactionAnswer) -> Bool
    func combine(into hasher: inout Hasher)
  }

  /// A value of that type.
  private struct Typed<Value: Hashable & Sendable>: Content {
    let value: Value

    func isEqual(to answer: TransactionAnswer) -> Bool { answer.value(as: Value.self) == value }
    func combine(into hasher: inout Hasher) { hasher.combine(value) }
  }
}
