/// Why a server of a user's own app does not start, or what it leaves behind.
public struct ServerFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong, where, and what would be right. All problems of a declaration are named, a line each.
  public let description: String

  init(_ description: String) { self.description = description }
}
