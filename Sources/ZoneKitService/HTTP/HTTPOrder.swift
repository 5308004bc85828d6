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

  /// The work from which a request is large, in bytes. A request that reads much and answers little is large too.
  static let large = 256 << 10

  /// When the request that waits arrived, or when the one before it was handled: the number of arrivals before that.
  private(set) var arrival = 0
  private var expected: Int?

  /// Takes in that bytes arrived while none were waiting, or that those before them were handled.
  mutating func arrived(after arrivals: Int) { arrival = arrivals }

  /// Takes in the work of a request, with the bytes of its body. A large one is remembered for some small ones.
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
