/// Ties an answer to its request. Unique within one life of a coordinator: a driver hands no answer from before a restart in.
public struct RequestID: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// Counts the requests of this life.
  public var number: UInt64

  /// The request of that number.
  public init(number: UInt64) { self.number = number }

  /// The number.
  public var description: String { "#\(number)" }

  /// Whether the first request is the older one.
  public static func < (first: RequestID, second: RequestID) -> Bool { first.number < second.number }
}
