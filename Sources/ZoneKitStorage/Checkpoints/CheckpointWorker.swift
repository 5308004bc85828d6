import ZoneKitRecords

/// The checkpoint thread's own part: a few connections, and the loop that uses them.
struct CheckpointWorker {
  /// How many files the thread holds open.
  static let connectionLimit = 8

  private let queue: CheckpointQueue
  private var connections = OpenFiles<String, Connection>(limit: connectionLimit)

  /// A worker for that queue.
  init(queue: CheckpointQueue) { self.queue = queue }

  /// Works until the queue is stopped.
  mutating func run() {
    while perform(queue.next()) {}
  }

  /// Does one piece of work; false where it is the last.
  mutating func perform(_ work: CheckpointQueue.Work) -> Bool {
    switch work {
    case .stop: return false
    case .close(let path): connections.remove(path)
    case .checkpoint(let path): checkpoint(path)
    }
    return true
  }

  private mutating func checkpoint(_ path: String) {
    do {
      queue.copied(path, try connection(to: path).checkpoint())
    } catch {
      queue.failed(path, error)
    }
  }

  /// A connection that syncs at checkpoints, which `Durability.off` would leave out.
  private mutating func connection(to path: String) throws(StoreError) -> Connection {
    if let open = connections.file(path) { return open }
    let connection = try Connection(path, as: .zone, access: .existing, durability: .full, checkpointPages: 0)
    _ = connections.trim(room: 1) { _ in false }
    connections.insert(connection, for: path)
    return connection
  }
}
