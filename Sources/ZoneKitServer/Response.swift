extension VirtualCloud {
  /// The answer to a request over HTTP.
  public struct Response: Hashable, Sendable {
    /// The status.
    public var status: Int
    /// The fields of the head by their names, as they are sent. Several of one name are joined with a comma.
    public var headers: [String: String]
    /// The body.
    public var body: [UInt8]

    /// The body as a text.
    public var text: String { String(decoding: body, as: UTF8.self) }
  }

  /// What a client gets instead of an answer: its connection is closed. It does not know whether its request arrived.
  public struct NoAnswer: Error, Hashable, Sendable, CustomStringConvertible {
    /// What happened.
    public var description: String { "the connection was closed without an answer" }
  }

  /// Sends a request and returns its answer: the method, the path with its query, the fields of the head and the body.
  public typealias Transport =
    @Sendable (_ method: String, _ path: String, _ headers: [String: String], _ body: [UInt8]) async throws -> (
      status: Int, headers: [String: String], body: [UInt8]
    )
}
