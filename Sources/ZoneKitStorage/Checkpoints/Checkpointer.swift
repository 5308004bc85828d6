import Glibc
import ZoneKitRecords

/// A thread that copies WAL pages of zone files into the files themselves, so that commits need not.
///
/// Copying within commits made the slowest of a hundred 10 to 100 times slower. The thread never makes the writer wait; only
/// the writer can restart a WAL, so it copies the last part of a long one.
final class Checkpointer {
  /// What the writer does after a commit.
  enum WriterStep: Equatable {
    /// Copy the little that the thread left.
    case finish
    /// Copy everything and empty the WAL, even where a reader or the writer has to wait.
    case empty
  }

  private let queue: CheckpointQueue
  private var thread: pthread_t?

  /// Starts the thread.
  init(limits: CheckpointLimits = CheckpointLimits()) throws(StoreError) {
    queue = CheckpointQueue(limits: limits)
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

  /// Ends the thread and its connections, and waits for that.
  func stop() {
    guard let thread else { return }
    queue.stop()
    pthread_join(thread, nil)
    self.thread = nil
  }

  /// Reports a commit that left so many pages in the file's WAL; `perform` gets what the writer has to do.
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

  /// Reports that the file was closed.
  func release(_ path: String) { queue.release(path) }

  /// The failures since the last call.
  func takeFailures() -> [StoreError] { queue.takeFailures() }
}
