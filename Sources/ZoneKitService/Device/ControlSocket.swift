import ZoneKitEventLoop
import ZoneKitRecords
import ZoneKitWire

/// The socket on which a running device accepts commands, one JSON object per line.
///
/// A push payload, of the form that `xcrun simctl push` takes, is answered with `{"delivered":true}`.
/// `{"ask":"diagnostics"}` is answered with the device's part of the dump. `{"command":LINE}` carries a command of the device's
/// prompt out and is answered with `{"done":true}`, or with an error. Any other line is answered with an error,
/// which ends the connection. A client that does not read its answers is not read from.
final class ControlSocket {
  /// The number of unsent bytes of a connection above which it waits for its client.
  static let backlogLimit = 64 * 1024

  /// The address of the socket: a Unix socket in the device's folder, or a loopback port if the path would be too long.
  let address: Address
  private let listener: Listener

  /// Listens for the device in that folder. `onAsk` returns a whole line with its line feed. Throws if no address is
  /// available.
  init(
    folder: String, loop: Loop, onNotification: @escaping (PushNotification) -> Void,
    onCommand: @escaping (String, _ answer: @escaping (String?) -> Void) -> Void, onAsk: @escaping () -> [UInt8]
  ) throws(LoopError) {
    let path = "\(folder)/control.sock"
    let wanted = path.utf8.count <= Address.longestPath ? Address.unix(path: path) : .tcp(host: "127.0.0.1", port: 0)
    listener = try Listener(at: wanted, on: loop) { stream in
      var reader = LineReader()
      func answer() {
        do throws(PushLineError) {
          while stream.queuedBytes <= Self.backlogLimit, let line = try reader.next() {
            switch try Request(line) {
            case .diagnostics: stream.write(onAsk())
            case .command(let line):
              onCommand(line) { [weak stream] error in
                let answer: JSON = error.map { ["error": .string($0)] } ?? ["done": true]
                stream?.write(answer.bytes() + [UInt8(ascii: "\n")])
              }
            case .notification(let notification):
              onNotification(notification)
              stream.write(Array("{\"delivered\":true}\n".utf8))
            }
          }
        } catch {
          stream.write(PushLine.error(reason: "BadMessage", message: error.message).line)
          stream.shutdownAfterWrites()
        }
        if stream.queuedBytes <= Self.backlogLimit { stream.resumeReading() } else { stream.pauseReading() }
      }
      stream.onRead = { bytes in
        reader.append(bytes)
        answer()
      }
      stream.onDrained = answer
    }
    address = listener.address
  }

  /// Stops listening.
  func close() { listener.close() }

  /// The meaning of a line.
  private enum Request {
    case notification(PushNotification)
    case diagnostics
    case command(String)

    init(_ line: ArraySlice<UInt8>) throws(PushLineError) {
      let json: JSON
      do {
        json = try JSON(parsing: line)
      } catch {
        throw PushLineError("expected one JSON object a line: \(error)")
      }
      if let line = json["command"]?.string {
        self = .command(line)
        return
      }
      guard let question = json["ask"] else {
        self = .notification(try PushNotification(payload: json))
        return
      }
      guard question.string == "diagnostics" else {
        throw PushLineError(#"expected {"ask":"diagnostics"} or a push payload, found \#(json.text().prefix(80))"#)
      }
      self = .diagnostics
    }
  }
}
