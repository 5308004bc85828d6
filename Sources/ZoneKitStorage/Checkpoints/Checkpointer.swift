import Glibc
import ZoneKitRecords

/// A thread that copies WAL pages into the zone files, so that commits do not have to.
///
/// When commits copied the pages themselves, the slowest of a hundred commits took 10 to 100 times longer. The thread
/// does not make the writer wait. Only the writer can restart a WAL, so the writer copies the last pages of a long one.
final class Checkpointer {
  /// What the writer does after a commit.
  enum WriterStep: Equatable {
    /// Copy the few pages that the thread left.
    case finish
    /// Copy all pages and empty the WAL, even if a reader or the writer has to wait.
    case empty
  }

  private let queue: CheckpointQueue
  private var thread: pthread_t?

  /// Starts the thread.
  init(
    limits: CheckpointLimits = CheckpointLimits(), connectionLimit: Int = CheckpointQueue.usualConnectionLimit,
    reserve: FileReserve? = nil
  ) throws(StoreError) {
    queue = CheckpointQueue(limits: limits, connectionLimit: connectionLimit, reserve: reserve)
    var thread = pthread_t()
    let context = Unmanaged.passRetained(queue)
    let code = pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        var worker = CheckpointWorker(queue: Unmanaged<CheckpointQueue>.fromOpaque(context).takeRetainedValue())
        worker.run()
        return nil
      }, context.toOpaque())
    guard code == 0 else {
      context.release()
      throw StoreError(errno: code, doing: "starting the checkpoint thread", place: "this process")
    }
    self.thread = thread
  }

  deinit { stop() }

  /// Stops the thread, closes its connections and waits for both.
  func stop() {
    guard let thread else { return }
    queue.stop()
    pthread_join(thread, nil)
    self.thread = nil
  }

  /// A commit left `pages` pages in the file's WAL. Calls `perform` with what the writer has to do, if anything.
  func committed(
    _ path: String, pages: Int, perform: (WriterStep) throws(StoreError) -> CheckpointResult
  ) {
    guard let step = queue.committed(path, pages: pages) else { return }
    do {
      queue.copied(path, try perform(step))
    } catch {
      queue.failed(path, error)
    }
  }

  /// The file was closed.
  func release(_ path: String) { queue.release(path) }

  /// The file was closed, and waits until the thread has closed it too.
  func releaseNow(_ path: String) { queue.releaseNow(path) }

  /// The failures since the last call.
  func takeFailures() -> [StoreError] { queue.takeFailures() }
}
