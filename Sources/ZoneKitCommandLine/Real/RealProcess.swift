import ZoneKitEventLoop
import Glibc
import ZoneKitRecords
import ZoneKitWire

/// A process of this program whose lines of JSON are heard by a loop.
final class RealProcess {
  /// The longest line that is understood, in bytes: a status carries conflicts, and these carry whole records.
  static let lineLimit = 64 << 20

  /// Whether it has closed its output: it is gone, or about to be.
  private(set) var hasEnded = false
  private let child: ChildProcess
  private let input: InputStream
  private var reader = LineReader(limit: RealProcess.lineLimit)

  /// Starts this program with those words. `onHeard` runs on the loop for each line that is JSON, and with nil at the end.
  init(_ name: String, _ words: [String], on loop: Loop, onHeard: @escaping (JSON?) -> Void) throws(ExitFailure) {
    child = try ChildProcess(name, words: words)
    // The loop closes what it reads, and so does the child's owner: each has a descriptor of its own.
    let descriptor = fcntl(child.descriptor, F_DUPFD_CLOEXEC, 0)
    do throws(LoopError) {
      input = try InputStream(descriptor: descriptor, on: loop)
    } catch {
      child.end(with: SIGKILL)
      throw .unavailable("\(name): \(error)")
    }
    input.onRead = { [unowned self] bytes in
      reader.append(bytes)
      while let line = try? reader.next() {
        if let json = try? JSON(parsing: line) { onHeard(json) }
      }
    }
    input.onClose = { [self] _ in
      hasEnded = true
      onHeard(nil)
    }
    input.resumeReading()
  }

  /// The system's number of the process.
  var pid: Int32 { child.pid }

  /// Says a line to the process.
  func tell(_ line: String) { child.send(line) }

  /// Ends the process with a signal and waits until it is gone.
  func end(with signal: Int32) { child.end(with: signal) }
}
