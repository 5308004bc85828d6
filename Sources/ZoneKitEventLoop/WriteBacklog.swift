/// Bytes that wait to be written, in the arrays in which they were given. Nothing is copied or moved.
struct WriteBacklog {
  private var pieces: [[UInt8]] = []
  /// The index of the first piece that is not taken completely.
  private var first = 0
  /// The number of bytes of that piece that were taken.
  private var taken = 0
  /// The number of bytes.
  private(set) var count = 0

  /// Whether nothing waits.
  var isEmpty: Bool { count == 0 }

  /// Adds bytes at the end, without the first `offset` of them.
  mutating func append(_ bytes: [UInt8], from offset: Int = 0) {
    guard offset < bytes.count else { return }
    if isEmpty {
      self = WriteBacklog()
      taken = offset
    }
    assert(offset == 0 || pieces.isEmpty, "only the first piece can be written in part")
    pieces.append(bytes)
    count += bytes.count - offset
  }

  /// Calls `body` with the next bytes, those of one piece. They are not taken.
  func withNext<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    pieces[first].withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[taken...])) }
  }

  /// Takes bytes from the front, at most those of the next piece.
  mutating func take(_ number: Int) {
    taken += number
    count -= number
    guard taken == pieces[first].count else { return }
    pieces[first] = []
    first += 1
    taken = 0
    // The list does not grow while it never becomes empty.
    if first >= 64, first * 2 >= pieces.count {
      pieces.removeFirst(first)
      first = 0
    }
  }
}
