import Glibc

/// A thread that nobody waits for.
package enum DetachedThread {
  private final class Work {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Lets a new thread call the function, with a stack of that many bytes, or the usual one. Returns the error number of the
  /// system that refuses it; 0 if there is the thread.
  package static func start(stackSize: Int? = nil, _ body: @escaping @Sendable () -> Void) -> CInt {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    if let stackSize {
      let code = pthread_attr_setstacksize(&attributes, stackSize)
      guard code == 0 else { return code }
    }
    pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
    var thread = pthread_t()
    let work = Unmanaged.passRetained(Work(body))
    let code = pthread_create(
      &thread, &attributes,
      { work in
        guard let work else { return nil }
        Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body()
        return nil
      }, work.toOpaque())
    if code != 0 { work.release() }
    return code
  }
}
