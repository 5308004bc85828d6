import Glibc
import Testing

/// A thread of its own, for what one thread must wait for while another goes on.
final class OtherThread {
  private let work: @Sendable () -> Void
  private var thread = pthread_t()

  init(_ work: @escaping @Sendable () -> Void) throws {
    self.work = work
    let context = Unmanaged.passRetained(self).toOpaque()
    let code = pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        Unmanaged<OtherThread>.fromOpaque(context).takeRetainedValue().work()
        return nil
      }, context)
    try #require(code == 0)
  }

  func join() { pthread_join(thread, nil) }
}
