import Glibc
import Testing

/// A thread with a stack of 512 kB, as some systems start them.
final class SmallThread {
  private let work: @Sendable () -> Void
  private var thread = pthread_t()

  init(_ work: @escaping @Sendable () -> Void) throws {
    self.work = work
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setstacksize(&attributes, 512 << 10)
    let context = Unmanaged.passRetained(self).toOpaque()
    let code = pthread_create(
      &thread, &attributes,
      { context in
        guard let context else { return nil }
        Unmanaged<SmallThread>.fromOpaque(context).takeRetainedValue().work()
        return nil
      }, context)
    try #require(code == 0)
  }

  func join() { pthread_join(thread, nil) }
}
