/// The state of a connection until it is established.
struct ConnectionAttempt {
  let address: Address
  private(set) var unsent: [UInt8] = []

  /// Whether the connection ends its stream once it is established.
  var finishesWhenConnected = false

  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    if !finishesWhenConnected { unsent.append(contentsOf: bytes) }
  }
}
