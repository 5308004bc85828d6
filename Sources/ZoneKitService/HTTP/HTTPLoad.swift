/// The memory that the requests and answers of all connections take, and the work of the present turn.
///
/// Request bodies and unsent answers each have a limit for all connections together. A turn ends when it has taken
/// enough time or has enough work; other requests wait for the next one. So a client with a small request waits for one
/// turn, however much the others ask for.
struct HTTPLoad {
  /// The most bytes of request bodies.
  static let bodyLimit = 32 << 20
  /// The size up to which a body is taken even if larger ones are refused.
  static let smallBody = 64 << 10
  /// The most bytes of small bodies and others together.
  static let smallBodyLimit = 64 << 20
  /// The most bytes of answers that clients have not taken yet. Beyond it only small answers are made.
  static let unsentLimit = 48 << 20
  /// The work after which a turn ends, in bytes of answers. It includes the changes that are committed at its end.
  static let turnWork = 8 << 20
  /// The time after which a turn ends, in milliseconds.
  static let turnTime: Int64 = 50

  /// The bytes of request bodies that are being received or handled.
  private(set) var bodies = 0
  /// The number of requests that were refused because there was no memory for their bodies.
  private(set) var refusals = 0
  /// The bytes of answers that clients had not taken at the end of the last turn.
  private(set) var unsent = 0
  /// The bytes of answers that were made in this turn.
  private var made = 0
  /// The work of this turn.
  private var work = 0
  private var turnStart: Int64?
  /// Whether the requests that were not begun yet wait for the next turn.
  private(set) var isTurnOver = false

  /// The number of bytes that the next answer may have; small answers are always made.
  var room: Int { max(0, Self.unsentLimit - unsent - made) }

  /// Whether unsent answers take much memory.
  var isShort: Bool { unsent > Self.unsentLimit / 2 }

  /// The number of unsent bytes above which a connection gets no more answers. If unsent answers take much memory, a
  /// client first has to read what it asked for.
  var backlogLimit: Int { isShort ? 0 : HTTPServerConnection.backlogLimit }

  /// The number of requests of one connection that are handled per turn. The size of their answers is known afterwards.
  var requestLimit: Int { isShort ? 1 : HTTPServerConnection.requestsPerTurn }

  /// Reserves memory for a body that has `size` bytes reserved and needs `wanted`. Returns whether there is enough.
  mutating func reserve(_ wanted: Int, insteadOf size: Int = 0) -> Bool {
    let limit = wanted <= Self.smallBody ? Self.smallBodyLimit : Self.bodyLimit
    guard bodies - size + wanted <= limit else {
      refusals += 1
      return false
    }
    bodies += wanted - size
    return true
  }

  /// Releases the memory of a body.
  mutating func release(_ size: Int) { bodies -= size }

  /// A connection is worked on.
  mutating func begin(at now: Int64) {
    if turnStart == nil { turnStart = now }
  }

  /// An answer of that size is made, with that much work.
  mutating func add(answerOf size: Int, work: Int) {
    made += size
    self.work += work
  }

  /// This work is done.
  mutating func end(at now: Int64) {
    isTurnOver = isTurnOver || work >= Self.turnWork || now - (turnStart ?? now) >= Self.turnTime
  }

  /// The turn ended, after which that many bytes of answers are not sent.
  mutating func endTurn(unsent: Int) {
    self.unsent = unsent
    made = 0
    work = 0
    turnStart = nil
    isTurnOver = false
  }
}
