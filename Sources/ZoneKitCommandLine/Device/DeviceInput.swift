import ZoneKitEventLoop
import Glibc
import ZoneKitLineEditor
import ZoneKitService
import ZoneKitWire

/// Reads commands from standard input, one per line.
enum DeviceInput {
  /// The longest command, in bytes.
  static let lineLimit = 64 * 1024

  /// Passes every line, and the end of the input, to a session. With an editor the lines are typed at its prompt. Throws if
  /// standard input cannot be read.
  static func read(into session: DeviceSession, editor: LineEditor?, loop: Loop) throws(ServiceError) {
    let input: InputStream
    do {
      input = try InputStream(descriptor: STDIN_FILENO, on: loop)
    } catch {
      throw ServiceError(error)
    }
    if let editor { edit(editor, input, into: session) } else { split(input, into: session) }
    input.resumeReading()
  }

  private static func edit(_ editor: LineEditor, _ input: InputStream, into session: DeviceSession) {
    editor.onLine = { session.submit($0) }
    editor.onEnd = { session.end() }
    input.onRead = { editor.receive($0) }
    input.onClose = { _ in session.end() }
  }

  private static func split(_ input: InputStream, into session: DeviceSession) {
    var reader = LineReader(limit: lineLimit)
    input.onRead = { bytes in
      reader.append(bytes)
      take(from: &reader, into: session)
    }
    input.onClose = { _ in
      // A last line without a line feed is a command too.
      reader.append([UInt8(ascii: "\n")])
      take(from: &reader, into: session)
      session.end()
    }
  }

  private static func take(from reader: inout LineReader, into session: DeviceSession) {
    do throws(PushLineError) {
      while let line = try reader.next() { session.submit(String(decoding: line, as: UTF8.self)) }
    } catch {
      session.submit("a line of more than \(lineLimit) bytes")
    }
  }
}
