import ZoneKitCUV
import Glibc

/// The event loop of one thread. It sleeps until bytes, a timer, a signal or another thread wakes it, and calls
/// closures.
///
/// A turn is all callbacks between two sleeps; `onTurnEnd` ends it. libuv runs, in this order, timers, `prepare`, poll
/// (which sleeps and then runs the callbacks of input and wake-ups) and close callbacks. The turn ends in `prepare`,
/// right before poll. So everything that ran since the last sleep, including timers and close callbacks, is in the same
/// turn, and none of it waits for the next input. `check`, right after poll, would leave the timers out.
package final class Loop {
  /// Called at the end of each turn in which something happened, always before the loop sleeps or `run()` returns.
  package var onTurnEnd: (() -> Void)?
  /// The number of listeners, connections, timers, inputs, wakers and signal watchers that are open or still closing.
  package internal(set) var openHandles = 0

  /// The size of the read buffer in bytes. All streams share the buffer: libuv delivers a read before it asks for the
  /// next buffer.
  static let scratchSize = 64 * 1024

  let raw: UnsafeMutablePointer<uv_loop_t>
  let scratch: UnsafeMutableRawPointer
  /// Set by every callback before it calls a closure. The end of the turn reads and clears it.
  var hasUnfinishedTurn = false
  /// The number of open connections that listeners of this loop accepted.
  package internal(set) var acceptedCount = 0
  /// The number of those connections of each address.
  var acceptedByAddress: [SocketAddress.Peer: Int] = [:]
  /// The number of connections that listeners of this loop refused because of their address.
  package internal(set) var refusedByAddress = 0
  /// The number of pieces of permanent work on other threads.
  var permanentWork = 0
  /// The listeners with a connection that waits until another one is closed.
  var waitingListeners: [Listener] = []
  private let prepare = UnsafeMutablePointer<uv_prepare_t>.allocate(capacity: 1)
  private var isStopping = false

  /// Opens a loop for the calling thread. Ignores SIGPIPE in this process, so that a write to a closed peer fails with
  /// an error instead of ending the process. Throws if the system has no file descriptors left (`EMFILE`).
  package init() throws(LoopError) {
    raw = .allocate(capacity: 1)
    scratch = .allocate(byteCount: Self.scratchSize, alignment: 16)
    let status = uv_loop_init(raw)
    guard status == 0 else {
      raw.deallocate()
      scratch.deallocate()
      prepare.deallocate()
      throw LoopError(status, "open", "an event loop")
    }
    // The allocation callback gets the buffer from here without access to a Swift object.
    raw.pointee.data = scratch
    signal(SIGPIPE, SIG_IGN)
    startTurnEnds()
  }

  /// A connection of that address is closed.
  func forget(_ peer: SocketAddress.Peer) {
    guard let count = acceptedByAddress[peer] else { return }
    acceptedByAddress[peer] = count > 1 ? count - 1 : nil
  }

  /// Lets each listener accept its waiting connection if its limit allows one more now. They have limits of their own.
  func acceptWaiting() {
    let waiting = waitingListeners
    waitingListeners = []
    for listener in waiting { listener.accept() }
  }

  /// All other handles retain the loop, so only its own handle is left to close.
  deinit {
    UnsafeMutableRawPointer(prepare).withMemoryRebound(to: uv_handle_t.self, capacity: 1) { uv_close($0, nil) }
    // A stop that was called while the loop did not run ends the first of these calls immediately.
    while uv_run(raw, UV_RUN_NOWAIT) != 0 {}
    let status = uv_loop_close(raw)
    assert(status == 0, "a loop without owners has no open handles")
    prepare.deallocate()
    raw.deallocate()
    scratch.deallocate()
  }

  /// The monotonic time in milliseconds, read at each call. A timer never fires before its time on this clock.
  package var now: Int64 { nanoseconds / 1_000_000 }

  /// The same time in nanoseconds.
  package var nanoseconds: Int64 { Int64(uv_hrtime()) }

  /// Runs turns until `stop()` is called or nothing is open that could cause one.
  package func run() {
    repeat {
      uv_run(raw, UV_RUN_DEFAULT)
      endTurn()
    } while !isStopping && uv_loop_alive(raw) != 0
    isStopping = false
  }

  /// Makes `run()` return at the end of this turn. Call it on the loop's thread; other threads use a `Waker`.
  package func stop() {
    isStopping = true
    uv_stop(raw)
  }

  /// Closes everything that is open, returns after the last close callback, and releases `onTurnEnd`, so that a closure
  /// may hold its loop.
  package func closeAll() {
    while openHandles > 0 {
      uv_walk(raw, { handle, _ in Loop.openOwner(of: handle)?.close() }, nil)
      uv_run(raw, UV_RUN_ONCE)
      endTurn()
    }
    onTurnEnd = nil
  }

  /// The same for everything that is not permanent. Permanent work on other threads is not waited for.
  package func closeOthers() {
    while openHandles > permanentCount {
      uv_walk(
        raw,
        { handle, _ in
          guard let owner = Loop.openOwner(of: handle), !owner.isPermanent else { return }
          owner.close()
        }, nil)
      uv_run(raw, UV_RUN_ONCE)
      endTurn()
    }
    onTurnEnd = nil
  }

  /// The number of permanent handles that are open, and of permanent work.
  private var permanentCount: Int {
    var count = permanentWork
    withUnsafeMutablePointer(to: &count) { count in
      uv_walk(
        raw,
        { handle, count in
          guard Loop.openOwner(of: handle)?.isPermanent == true else { return }
          count?.assumingMemoryBound(to: Int.self).pointee += 1
        }, count)
    }
    return count
  }

  /// The open connection that a listener accepted last; nil if there is none.
  var lastAccepted: Connection? {
    var last: Connection?
    // libuv visits handles in the order in which they were opened.
    withUnsafeMutablePointer(to: &last) { last in
      uv_walk(
        raw,
        { handle, last in
          guard let connection = Loop.openOwner(of: handle) as? Connection, connection.isAccepted else { return }
          last?.assumingMemoryBound(to: Connection?.self).pointee = connection
        }, last)
    }
    return last
  }

  /// The owner of a handle; nil if the handle is being closed, or is the loop's own.
  private static func openOwner(of handle: UnsafeMutablePointer<uv_handle_t>?) -> Handle? {
    guard let handle, uv_is_closing(handle) == 0, handle.pointee.type != UV_PREPARE else { return nil }
    return Unmanaged<Handle>.fromOpaque(handle.pointee.data).takeUnretainedValue()
  }

  private func startTurnEnds() {
    // Not retained: the loop owns this handle, and the callback runs only inside the loop's own methods.
    uv_prepare_init(raw, prepare)
    prepare.pointee.data = Unmanaged.passUnretained(self).toOpaque()
    uv_prepare_start(prepare) { Unmanaged<Loop>.fromOpaque($0!.pointee.data).takeUnretainedValue().endTurn() }
    UnsafeMutableRawPointer(prepare).withMemoryRebound(to: uv_handle_t.self, capacity: 1) { uv_unref($0) }
  }

  private func endTurn() {
    guard hasUnfinishedTurn else { return }
    hasUnfinishedTurn = false
    onTurnEnd?()
    // libuv computes the time until the next timer from its cached time. Without this the loop would sleep for longer
    // by the duration of the turn.
    uv_update_time(raw)
  }
}
