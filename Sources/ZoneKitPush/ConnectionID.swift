extension PushGateway {
  /// Names a connection of the push socket; the driver hands out each number once.
  package struct ConnectionID: Hashable, Sendable {
    /// The driver's number.
    package var number: UInt64

    /// The connection of that number.
    package init(_ number: UInt64) { self.number = number }
  }
}
