/// The place of a connection among those that wait for the next turn.
///
/// A connection that asked for little so far comes before one about which nothing is known, and both come before one
/// that asked for much. So a small request does not wait for many large ones. Of new connections the newest comes first:
/// if hundreds of clients connect at once, most of them wait anyway.
struct HTTPOrder {
  /// What is expected of the next request of a connection.
  private enum Class: Int {
    case small
    case unknown
    case large
  }

  /// The number of bytes from which a request and its answer are large.
  static let large = 256 << 10

  /// When the request that waits arrived: the number of arrivals before it.
  private(set) var arrival = 0
  private var expected: Int?

  /// Takes in that bytes arrived while none were waiting.
  mutating func arrived(after arrivals: Int) { arrival = arrivals }

  /// Takes in the size of a request or its answer. A large one is remembered for some small ones.
  mutating func add(_ size: Int) { expected = max(size, (expected ?? 0) / 2) }

  /// Whether this connection comes before the other one.
  static func < (first: HTTPOrder, second: HTTPOrder) -> Bool {
    guard first.class == second.class else { return first.class.rawValue < second.class.rawValue }
    return first.class == .unknown ? first.arrival > second.arrival : first.arrival < second.arrival
  }

  private var `class`: Class {
    guard let expected else { return .unknown }
    return expected < Self.large ? .small : .large
  }
}
