import Glibc
import ZoneKitRecords

/// The state that the writer's thread and the checkpoint thread share: the length of each WAL and how much of it is
/// copied.
final class CheckpointQueue: @unchecked Sendable {
  /// The next work of the checkpoint thread.
  enum Work: Equatable {
    case checkpoint(String)
    case close(String)
    case stop
  }

  private struct WAL {
    let limits: CheckpointLimits
    var pages = 0
    var copied = 0
    var lastCommitAt: Int64 = 0
    /// Who is copying the WAL; nil for nobody. SQLite refuses a second checkpoint without waiting (SQLite:
    /// c3ref/wal_checkpoint_v2.html).
    var copier: Copier?
    /// The length of the WAL from which the writer takes part. It grows while a reader uses old pages.
    var writerStepsInAt: Int

    init(_ limits: CheckpointLimits) {
      self.limits = limits
      writerStepsInAt = limits.finishPages
    }

    var uncopied: Int { pages - copied }

    mutating func committed(pages: Int, at now: Int64) {
      // A WAL that is shorter than before was restarted.
      if pages < self.pages {
        copied = 0
        writerStepsInAt = limits.finishPages
      }
      self.pages = pages
      lastCommitAt = now
    }

    func isDue(_ now: Int64) -> Bool {
      guard copier == nil else { return false }
      return uncopied >= limits.duePages || uncopied > 0 && lastCommitAt + CheckpointQueue.quiet <= now
    }

    var writerStep: Checkpointer.WriterStep? {
      guard pages >= writerStepsInAt else { return nil }
      if pages >= limits.limitPages { return .empty }
      return copier == nil && uncopied < limits.duePages ? .finish : nil
    }

    /// The writer takes that step. Its next step is due later; after `finish` no later than at the length limit.
    mutating func writerBegins(_ step: Checkpointer.WriterStep) {
      copier = .writer
      let later = pages + limits.duePages
      writerStepsInAt = step == .finish ? min(later, limits.limitPages) : later
    }

    /// A checkpoint ended with that result. A negative number of pages means that another process was copying the WAL.
    mutating func finished(_ result: CheckpointResult) {
      copier = nil
      if result.copied >= 0 { copied = min(result.copied, pages) }
      if result.pages == 0 { writerStepsInAt = limits.finishPages }
    }
  }

  private enum Copier {
    case thread, writer
  }

  /// The most failures that are kept until they are taken.
  static let failureLimit = 100
  /// The time without a commit after which even a short WAL is copied, in nanoseconds.
  static let quiet: Int64 = 1_000_000_000

  private let limits: CheckpointLimits
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>
  private var wals: [String: WAL] = [:]
  private var released: [String] = []
  /// The released files for whose closing the writer waits.
  private var closing: Set<String> = []
  private var isStopped = false
  /// Whether the thread waits for a signal without a time limit.
  private var isThreadIdle = false
  private var failures: [StoreError] = []

  /// The most files that the thread keeps open, by default.
  static let usualConnectionLimit = 8
  /// The most files that the thread keeps open.
  let connectionLimit: Int
  /// The file descriptors that are kept back for its files.
  let reserve: FileReserve?

  init(
    limits: CheckpointLimits = CheckpointLimits(), connectionLimit: Int = CheckpointQueue.usualConnectionLimit,
    reserve: FileReserve? = nil
  ) {
    self.limits = limits
    self.connectionLimit = connectionLimit
    self.reserve = reserve
    mutex = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
    condition = .allocate(capacity: 1)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(condition, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  // MARK: The writer's side

  /// A commit left `pages` pages in the WAL. Returns what the writer has to do; afterwards the writer calls `copied` or
  /// `failed`. Waits for the thread only if a step of the writer is due while the thread is copying.
  func committed(_ path: String, pages: Int) -> Checkpointer.WriterStep? {
    locked {
      var wal = wals[path] ?? WAL(limits)
      wal.committed(pages: pages, at: MonotonicClock.nanoseconds)
      wals[path] = wal
      guard let step = wal.writerStep else {
        if isThreadIdle || wal.uncopied >= limits.duePages { pthread_cond_signal(condition) }
        return nil
      }
      while wals[path]?.copier == .thread { pthread_cond_wait(condition, mutex) }
      wals[path]?.writerBegins(step)
      return step
    }
  }

  /// The file was closed, so that the thread closes its connection to it.
  func release(_ path: String) {
    locked {
      wals[path] = nil
      released.append(path)
      pthread_cond_signal(condition)
    }
  }

  /// The file was closed, and waits until the thread has closed its connection to it.
  func releaseNow(_ path: String) {
    locked {
      guard !isStopped else { return }
      wals[path] = nil
      released.append(path)
      closing.insert(path)
      pthread_cond_broadcast(condition)
      while closing.contains(path) { pthread_cond_wait(condition, mutex) }
    }
  }

  func stop() {
    locked {
      isStopped = true
      pthread_cond_signal(condition)
    }
  }

  func takeFailures() -> [StoreError] {
    locked {
      defer { failures.removeAll() }
      return failures
    }
  }

  // MARK: Both sides

  /// A checkpoint ended with that result.
  func copied(_ path: String, _ result: CheckpointResult) {
    locked {
      wals[path]?.finished(result)
      pthread_cond_signal(condition)
    }
  }

  /// A checkpoint failed. The next attempt follows when as many pages are due again.
  func failed(_ path: String, _ error: StoreError) {
    locked { failures = failures.suffix(Self.failureLimit - 1) + [error] }
    copied(path, CheckpointResult(pages: .max, copied: .max))
  }

  // MARK: The thread's side

  /// The thread closed its connection to a released file.
  func closed(_ path: String) {
    locked {
      if closing.remove(path) != nil { pthread_cond_broadcast(condition) }
    }
  }

  /// Waits until there is work. Released files come first, so that no closed file is opened again.
  func next() -> Work {
    locked {
      while true {
        if isStopped { return .stop }
        if let path = released.popLast() { return .close(path) }
        let now = MonotonicClock.nanoseconds
        if let path = mostUrgent(now) {
          wals[path]?.copier = .thread
          return .checkpoint(path)
        }
        wait(
          until: wals.values.filter { $0.uncopied > 0 && $0.copier == nil }.map(\.lastCommitAt).min().map {
            $0 + Self.quiet
          })
      }
    }
  }

  private func mostUrgent(_ now: Int64) -> String? {
    let due = wals.filter { $0.value.isDue(now) }
    return due.max { ($0.value.uncopied, $0.key) < ($1.value.uncopied, $1.key) }?.key
  }

  private func wait(until deadline: Int64?) {
    guard let deadline else {
      isThreadIdle = true
      pthread_cond_wait(condition, mutex)
      isThreadIdle = false
      return
    }
    var time = timespec(tv_sec: Int(deadline / 1_000_000_000), tv_nsec: Int(deadline % 1_000_000_000))
    pthread_cond_timedwait(condition, mutex, &time)
  }

  private func locked<Result>(_ body: () -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body()
  }
}
