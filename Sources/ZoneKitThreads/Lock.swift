import Glibc

/// A value that one thread at a time uses.
///
/// It is built on `pthread_mutex_t`, which ThreadSanitizer understands. A contended `Mutex` of the standard library is locked
/// in code that is not instrumented, so that every use of it is reported as a race.
package final class Lock<Value>: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private var value: Value

  /// A lock around that value.
  package init(_ value: sending Value) {
    self.value = value
    mutex = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Calls a function with the value while no other thread uses it. The function may not use the lock again.
  package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value)
  }
}
