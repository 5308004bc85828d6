import Glibc

/// A thread with a large stack, on which other threads let work be done that may need it, one piece at a time.
///
/// It lasts as long as the process: a library that keeps something for every thread that ever used it keeps it once.
package final class RoomyThread: @unchecked Sendable {
  /// Where the thread and those that wait for it stand.
  private enum State {
    case idle
    case asked(() -> Void)
    case working
    case done
  }

  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let changed: UnsafeMutablePointer<pthread_cond_t>
  private var state = State.idle

  /// Starts a thread with a stack of that many bytes; nil if the system refuses it. Memory is taken for what is used of it.
  package init?(stackSize: Int) {
    mutex = .allocate(capacity: 1)
    changed = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(changed, nil)
    guard DetachedThread.start(stackSize: stackSize, { self.serve() }) == 0 else { return nil }
  }

  deinit {
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(mutex)
    changed.deallocate()
    mutex.deallocate()
  }

  /// What the function returns, which the thread calls. The caller waits for it, and for those that asked before. The function
  /// may not ask the same thread.
  package func run<Result>(_ work: @escaping () -> Result) -> Result {
    var result: Result?
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    waitUntil { if case .idle = $0 { true } else { false } }
    change(to: .asked { result = work() })
    waitUntil { if case .done = $0 { true } else { false } }
    change(to: .idle)
    guard let result else { preconditionFailure("work that is done has a result") }
    return result
  }

  private func serve() -> Never {
    while true {
      pthread_mutex_lock(mutex)
      waitUntil { if case .asked = $0 { true } else { false } }
      guard case .asked(let work) = state else { preconditionFailure("the thread waited until it was asked") }
      state = .working
      pthread_mutex_unlock(mutex)
      work()
      pthread_mutex_lock(mutex)
      change(to: .done)
      pthread_mutex_unlock(mutex)
    }
  }

  /// Waits until the state is such a one. The mutex is locked before and after.
  private func waitUntil(_ isReached: (State) -> Bool) {
    while !isReached(state) { pthread_cond_wait(changed, mutex) }
  }

  private func change(to next: State) {
    state = next
    pthread_cond_broadcast(changed)
  }
}
