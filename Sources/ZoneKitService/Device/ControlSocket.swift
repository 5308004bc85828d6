import ZoneKitEventLoop
import ZoneKitRecords
import ZoneKitSync
import ZoneKitWire

/// The socket on which a running device accepts commands, one JSON object per line.
///
/// A push payload, of the form that `xcrun simctl push` takes, is answered with `{"delivered":true}`.
/// `{"ask":"diagnostics"}` is answered with the device's part of the dump, `{"ask":"reset","what":"local"}` with what a reset
/// removed, and `{"ask":"standAside"}` with `{"done":true}`, after which the device closes its store. `{"command":LINE}` carries
/// a command of the device's prompt out and is answered with `{"done":true}`, or with an error. Any other line is answered
/// with an error, which ends the connection. A client that does not read its answers is not read from.
final class ControlSocket {
  /// The number of unsent bytes of a connection above which it waits for its client.
  static let backlogLimit = 64 * 1024

  /// The address of the socket: a Unix socket in the device's folder, or a loopback port if the path would be too long.
  let address: Address
  private let listener: Listener

  /// Something that only the process of a device can say or do.
  enum Question: Hashable {
    case diagnostics
    /// Resets the store, and makes a backup first if `backingUp` is true.
    case reset(StoreReset, backingUp: Bool)
    /// Closes the store until the state of the data directory is replaced.
    case standAside
  }

  /// Listens for the device in that folder. `onAsk` returns a whole line with its line feed. Throws if no address is
  /// available.
  init(
    folder: String, loop: Loop, onNotification: @escaping (PushNotification) -> Void,
    onCommand: @escaping (String, _ answer: @escaping (String?) -> Void) -> Void, onAsk: @escaping (Question) -> [UInt8]
  ) throws(LoopError) {
    let path = "\(folder)/control.sock"
    let wanted = path.utf8.count <= Address.longestPath ? Address.unix(path: path) : .tcp(host: "127.0.0.1", port: 0)
    listener = try Listener(at: wanted, on: loop) { stream in
      var reader = LineReader()
      func answer() {
        do throws(PushLineError) {
          while stream.queuedBytes <= Self.backlogLimit, let line = try reader.next() {
            switch try Request(line) {
            case .question(let question): stream.write(onAsk(question))
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
    case question(Question)
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
      guard json["ask"] != nil else {
        self = .notification(try PushNotification(payload: json))
        return
      }
      guard let question = Question(json) else {
        throw PushLineError(
          #"expected {"ask":"diagnostics"}, "reset" or "standAside", or a push payload, found \#(json.text().prefix(80))"#
        )
      }
      self = .question(question)
    }
  }
}

extension ControlSocket.Question {
  /// The line from which `init(_:)` makes the same question.
  var json: JSON {
    switch self {
    case .diagnostics: ["ask": "diagnostics"]
    case .standAside: ["ask": "standAside"]
    case .reset(.tokens, let backingUp): ["ask": "reset", "what": "tokens", "backup": .bool(backingUp)]
    case .reset(.local(let keepingPending), let backingUp):
      ["ask": "reset", "what": "local", "keepPending": .bool(keepingPending), "backup": .bool(backingUp)]
    }
  }

  /// The question of a line; nil if there is no such one.
  init?(_ json: JSON) {
    switch (json["ask"]?.string, json["what"]?.string) {
    case ("diagnostics", nil): self = .diagnostics
    case ("standAside", nil): self = .standAside
    case ("reset", "tokens"): self = .reset(.tokens, backingUp: json["backup"]?.bool ?? true)
    case ("reset", "local"):
      self = .reset(
        .local(keepingPending: json["keepPending"]?.bool ?? false), backingUp: json["backup"]?.bool ?? true)
    default: return nil
    }
  }
}
