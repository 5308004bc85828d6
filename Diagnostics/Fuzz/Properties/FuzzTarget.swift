/// A reader of bytes from outside, with the properties that hold for all bytes.
enum FuzzTarget: String, CaseIterable, Sendable {
  /// The heads and bodies of pipelined HTTP requests.
  case http
  /// The chunked body of one request.
  case chunked
  /// JSON documents.
  case json
  /// The body of `records/query`.
  case query
  /// Sync tokens, continuation markers, and the texts that prove themselves.
  case tokens
  /// A form with a file.
  case form
  /// The lines of the push socket.
  case push

  /// Checks the properties for these bytes. Throws a `Violation` for one that does not hold.
  func check(_ bytes: [UInt8]) throws {
    switch self {
    case .http: try HTTPProperties.check(bytes)
    case .chunked: try HTTPProperties.check(HTTPProperties.chunkedHead + bytes)
    case .json: try JSONProperties.check(bytes)
    case .query: try QueryProperties.check(bytes)
    case .tokens: try TokenProperties.check(bytes)
    case .form: try FormProperties.check(bytes)
    case .push: try PushProperties.check(bytes)
    }
  }
}

/// A property that does not hold, in words.
struct Violation: Error, CustomStringConvertible {
  /// What was expected and what was found.
  let description: String

  /// A violation in those words.
  init(_ description: String) { self.description = description }

  /// Throws unless the condition holds.
  static func unless(_ condition: Bool, _ description: @autoclosure () -> String) throws {
    guard condition else { throw Violation(description()) }
  }
}
