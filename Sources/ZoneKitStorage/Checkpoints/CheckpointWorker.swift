import ZoneKitRecords

/// The state of the checkpoint thread: a few connections, and the loop that uses them.
struct CheckpointWorker {
  private let queue: CheckpointQueue
  private let reserve: FileReserve?
  private var connections: OpenFiles<String, Connection>

  /// A worker for that queue.
  init(queue: CheckpointQueue) {
    self.queue = queue
    reserve = queue.reserve
    connections = OpenFiles(limit: queue.connectionLimit)
  }

  /// Works until the queue is stopped.
  mutating func run() {
    while perform(queue.next()) {}
  }

  /// Does one piece of work. Returns false for the last one.
  mutating func perform(_ work: CheckpointQueue.Work) -> Bool {
    switch work {
    case .stop: return false
    case .close(let path):
      connections.remove(path)
      queue.closed(path)
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

  /// A connection to the file. It syncs at checkpoints, which a connection with `Durability.off` would not.
  private mutating func connection(to path: String) throws(StoreError) -> Connection {
    if let open = connections.file(path) { return open }
    _ = connections.trim(room: 1) { _ in false }
    let connection = try Connection(
      path, as: .zone, access: .existing, durability: .full, checkpointPages: 0, reserve: reserve)
    connections.insert(connection, for: path)
    return connection
  }
}
