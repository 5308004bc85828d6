import ZoneKitWire

/// Answers that faults hold back, with those that have to wait behind them: a connection's answers keep their order.
struct LateReplies {
  /// An answer that waits.
  struct Late {
    /// Where it goes.
    let connection: HTTPServerConnection
    /// What it answers; nil stands for bytes that were no request.
    let request: HTTPRequest?
    /// The answer; nil ends the connection without one.
    let reply: HTTPReply?
    fileprivate let due: Int64
  }

  private var waiting: [Late] = []

  /// Whether nothing waits.
  var isEmpty: Bool { waiting.isEmpty }

  /// When the next answer is due, in the loop's milliseconds; nil where none waits.
  var nextDue: Int64? { waiting.map(\.due).min() }

  /// Whether an answer that could leave now has to wait for others of its connection.
  func holds(_ connection: HTTPServerConnection) -> Bool { waiting.contains { $0.connection === connection } }

  /// Takes in an answer that leaves at `due`, or with the one before it, whichever is later.
  mutating func add(_ reply: HTTPReply?, to request: HTTPRequest?, on connection: HTTPServerConnection, due: Int64) {
    let before = waiting.last { $0.connection === connection }?.due ?? due
    waiting.append(Late(connection: connection, request: request, reply: reply, due: max(before, due)))
  }

  /// Hands out what is due, in the order of its coming.
  mutating func take(at now: Int64) -> [Late] {
    let due = waiting.filter { $0.due <= now }
    waiting.removeAll { $0.due <= now }
    return due
  }
}
