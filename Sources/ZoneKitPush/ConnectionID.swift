extension PushGateway {
  /// The ID of a connection to the push socket. The driver uses each number once.
  package struct ConnectionID: Hashable, Comparable, Sendable {
    /// The driver's number.
    package var number: UInt64

    /// The connection of that number.
    package init(_ number: UInt64) { self.number = number }

    /// Orders connections by their numbers.
    package static func < (first: ConnectionID, second: ConnectionID) -> Bool { first.number < second.number }
  }
}
