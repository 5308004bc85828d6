/// How long a connection waits for its client, in milliseconds. After that it is closed. Long-lived answers, such as a
/// stream of events, have no limit as long as the client reads.
package enum HTTPTimeLimits {
  /// From the first byte of a request to the end of its head. Answered with 408.
  package static let head: Int64 = 10_000
  /// For a body, in addition to the time that its bytes take at `bodyRate`. Answered with 408.
  package static let body: Int64 = 20_000
  /// The slowest rate at which a body may arrive, in bytes per second.
  package static let bodyRate: Int64 = 16 * 1024
  /// From the opening of a connection to the first byte of a request.
  package static let first: Int64 = 20_000
  /// Between two requests. A device opens a new connection when it needs one.
  package static let idle: Int64 = 60_000
  /// While the client takes nothing of the answers that wait for it.
  package static let unread: Int64 = 30_000
  /// The same while the answers of all connections take much memory.
  package static let unreadWhenShort: Int64 = 10_000
  /// How often the limits are checked.
  package static let step: Int64 = 1_000
  /// The time between two checks after which nothing is closed, because this process was suspended and has not read
  /// what arrived in the meantime.
  package static let lateStep: Int64 = 5_000
}
