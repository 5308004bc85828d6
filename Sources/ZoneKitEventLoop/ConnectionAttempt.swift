/// What a connection must remember only until it stands.
struct ConnectionAttempt {
  let address: Address
  private(set) var unsent: [UInt8] = []

  /// Set once nothing more may be written.
  var finishesWhenConnected = false

  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    if !finishesWhenConnected { unsent.append(contentsOf: bytes) }
  }
}
