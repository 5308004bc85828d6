/// The place of a connection among those that wait for the next turn.
///
/// A connection whose requests were small comes before one that asked for more, so that a small request does not wait for
/// many large ones. Sizes are compared by their order of magnitude, and connections of the same order come as they arrived.
/// A new connection counts as one that asks for little until it has asked for more, or has sent much.
struct HTTPOrder {
  /// The work up to which a request is as small as possible, in bytes. A change of one record is below it.
  static let small = 16 << 10

  /// When the request that waits arrived, or when the one before it was handled: the number of arrivals before that.
  private(set) var arrival = 0
  /// The work that is expected of the next request.
  private var expected = 0
  /// The bytes of the request that waits, as far as they have come.
  private var waiting = 0

  /// Bytes arrived while none were waiting, or that those before them were handled.
  mutating func arrived(after arrivals: Int) { arrival = arrivals }

  /// That many bytes wait.
  mutating func waits(with bytes: Int) { waiting = bytes }

  /// A request took that much work, with the bytes of its body. A large one is remembered for some small ones.
  mutating func add(_ size: Int) { expected = max(size, expected / 2) }

  /// A request took that long, in milliseconds. A query may read much for an answer of few bytes.
  mutating func took(milliseconds: Int64) { expected = max(expected, Int(milliseconds) * Self.workOfMillisecond) }

  /// The work that a turn does in a millisecond, in bytes.
  private static let workOfMillisecond = HTTPLoad.turnWork / Int(HTTPLoad.turnTime)

  /// Whether this connection comes before the other one.
  static func < (first: HTTPOrder, second: HTTPOrder) -> Bool {
    (first.rank, first.arrival) < (second.rank, second.arrival)
  }

  /// How often the smallest work has to be doubled to reach that of the connection.
  private var rank: Int {
    let size = max(expected, waiting)
    return size < Self.small ? 0 : (size / Self.small).bitWidth - (size / Self.small).leadingZeroBitCount
  }
}
