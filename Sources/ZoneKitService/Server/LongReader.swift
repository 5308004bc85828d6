import ZoneKitCloud
import ZoneKitEventLoop
import ZoneKitStorage

/// Answers readings for which a turn has no time, one after another on another thread, over snapshots of the zones.
///
/// SQLite cannot stop in the middle of a statement that sorts or counts and go on later. On a thread of its own the statement
/// runs to its end, and the system divides the processors between it and the loop.
final class LongReader {
  private let worker: FairWorker<CloudEffect>
  private let source: ZoneSnapshots.Source
  private let room: () -> Int
  private var running: Cancellation?
  /// The number of readings that wait for their turn.
  var queueLength: Int { worker.queueLength }

  /// A reader of those zones for a loop. `room` is the number of bytes that the next answer may have.
  init(of source: ZoneSnapshots.Source, on loop: Loop, room: @escaping () -> Int) {
    self.source = source
    self.room = room
    worker = FairWorker(for: loop, width: 1)
  }

  /// Reads when it is the turn of the reading's user. `finish` is called once in a later turn, also after a cancellation.
  func read(_ reading: LongReading, until cancellation: Cancellation, finish: @escaping (CloudEffect) -> Void) {
    worker.run(
      of: reading.user,
      { [self] in
        running = cancellation
        return { [room = room(), source] in
          var zones = source.snapshots(until: cancellation)
          defer { zones.close() }
          var generator = SystemGenerator()
          return reading.result(over: &zones, room: room, using: &generator)
        }
      }, finish: finish)
  }

  /// Ends the reading that runs, and begins no other one.
  func close() {
    worker.close()
    running?.cancel()
  }
}
