import ZoneKitCUV

/// Work on another thread, whose result comes back to the loop.
package enum BackgroundWork {
  /// The number of pieces of work that leave a processor to the loop, if there is more than one. The libuv pool has four
  /// threads (libuv: threadpool.html).
  package static var width: Int { max(1, min(4, Int(uv_available_parallelism()) - 1)) }

  /// Runs `work` on another thread, and then `finish` with its result on the loop's thread. `Loop.closeAll()` waits for
  /// it, and `closeOthers()` unless it is permanent.
  package static func run<Result: Sendable>(
    on loop: Loop, isPermanent: Bool = false, _ work: @escaping @Sendable () -> Result,
    finish: @escaping (Result) -> Void
  ) {
    let item = Item(on: loop, isPermanent: isPermanent, work, finish)
    let request = UnsafeMutablePointer<uv_work_t>.allocate(capacity: 1)
    request.pointee.data = Unmanaged<BackgroundItem>.passRetained(item).toOpaque()
    loop.openHandles += 1
    if isPermanent { loop.permanentWork += 1 }
    let status = uv_queue_work(
      loop.raw, request, { BackgroundWork.item(of: $0)?.takeUnretainedValue().work() },
      { request, _ in
        guard let item = BackgroundWork.item(of: request)?.takeRetainedValue() else { return }
        request?.deallocate()
        item.loop.openHandles -= 1
        if item.isPermanent { item.loop.permanentWork -= 1 }
        item.loop.hasUnfinishedTurn = true
        item.finish()
      })
    // It fails only without a function to run.
    precondition(status == 0, "libuv has not taken work: \(String(cString: uv_strerror(status)))")
  }

  private static func item(of request: UnsafeMutablePointer<uv_work_t>?) -> Unmanaged<BackgroundItem>? {
    request?.pointee.data.map { Unmanaged<BackgroundItem>.fromOpaque($0) }
  }

  /// Work with its result. libuv's queue puts the two uses in an order: the loop's thread reads the result after the
  /// other thread has written it.
  private final class Item<Result: Sendable>: BackgroundItem {
    private let body: @Sendable () -> Result
    private let finishing: (Result) -> Void
    private var result: Result?

    init(
      on loop: Loop, isPermanent: Bool, _ body: @escaping @Sendable () -> Result, _ finish: @escaping (Result) -> Void
    ) {
      self.body = body
      finishing = finish
      super.init(on: loop, isPermanent: isPermanent)
    }

    override func work() { result = body() }

    override func finish() {
      if let result { finishing(result) }
    }
  }
}

/// Work of any result.
private class BackgroundItem {
  let loop: Loop
  let isPermanent: Bool

  init(on loop: Loop, isPermanent: Bool) { (self.loop, self.isPermanent) = (loop, isPermanent) }

  /// Does the work, on another thread.
  func work() {}

  /// Hands the result over, on the loop's thread.
  func finish() {}
}
