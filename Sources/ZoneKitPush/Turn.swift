/// The notifications of one turn and their receivers.
///
/// The list of notifications that an endpoint gets is a path. Each step adds a notification, and endpoints with the
/// same notifications in the same order share a path. So a change for a thousand devices costs one path, and one number
/// per device.
struct Turn {
  private struct Step: Hashable {
    var from: Int
    var notification: Int
  }

  /// The empty path.
  static let start = 0

  /// The notifications, in the order in which they were made.
  private(set) var notifications: [StoredNotification] = []
  /// The endpoints that get something, in the order of their first notification. An endpoint that was removed may be
  /// among them.
  private(set) var touched: [Int] = []
  /// The notifications that were not made for their origin, with the origin's names.
  private(set) var excluded: [(notification: Int, names: [String])] = []
  private var steps: [Step] = [Step(from: start, notification: -1)]
  private var paths: [Step: Int] = [:]
  private var newest: (step: Step, path: Int)?

  /// Whether there is nothing to send or report.
  var isEmpty: Bool { notifications.isEmpty }

  /// The number of paths.
  var pathCount: Int { steps.count }

  mutating func add(_ notification: StoredNotification) -> Int {
    notifications.append(notification)
    return notifications.count - 1
  }

  mutating func touch(_ endpoint: Int) { touched.append(endpoint) }

  mutating func exclude(_ name: String, from notification: Int) {
    if let place = excluded.lastIndex(where: { $0.notification == notification }) {
      excluded[place].names.append(name)
    } else {
      excluded.append((notification, [name]))
    }
  }

  /// The path that continues `path` with a notification.
  mutating func step(from path: Int, to notification: Int) -> Int {
    let step = Step(from: path, notification: notification)
    // Consecutive endpoints usually take the same step.
    if let newest, newest.step == step { return newest.path }
    let next = paths[step] ?? steps.count
    if next == steps.count {
      steps.append(step)
      paths[step] = next
    }
    newest = (step, next)
    return next
  }

  /// The notifications on a path, in the order in which they were made.
  func notifications(on path: Int) -> [StoredNotification] { sequence(of: path).map { notifications[$0] } }

  /// The notifications on a path, oldest first: those to send, and those that a newer one of the same topic replaces.
  func coalesced(on path: Int) -> (kept: [Int], merged: [Int]) {
    var topics: Set<Topic> = []
    var kept: [Int] = []
    var merged: [Int] = []
    for notification in sequence(of: path).reversed() {
      guard let topic = notifications[notification].topic, !topics.insert(topic).inserted else {
        kept.append(notification)
        continue
      }
      merged.append(notification)
    }
    return (kept.reversed(), merged.reversed())
  }

  private func sequence(of path: Int) -> [Int] {
    var sequence: [Int] = []
    var path = path
    while path != Self.start {
      sequence.append(steps[path].notification)
      path = steps[path].from
    }
    return sequence.reversed()
  }
}
