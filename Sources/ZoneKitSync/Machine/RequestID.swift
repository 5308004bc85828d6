/// Identifies a request and its answer. It is unique within one process: a driver passes no answer from before a
/// restart.
public struct RequestID: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The number of the request, from 1.
  public var number: UInt64

  /// The request of that number.
  public init(number: UInt64) { self.number = number }

  /// The number.
  public var description: String { "#\(number)" }

  /// Orders requests by age, the oldest first.
  public static func < (first: RequestID, second: RequestID) -> Bool { first.number < second.number }
}
