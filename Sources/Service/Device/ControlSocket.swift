import EventLoop
import Records
import Wire

/// Where a running device takes payloads by hand, as a simulator does from `xcrun simctl push`: a line with a payload comes
/// in, a line with `{"delivered":true}` or an error goes out.
final class ControlSocket {
  /// Where the device listens: a Unix socket in its folder, or a loopback port where the path would be too long.
  let address: Address
  private let listener: Listener

  /// Listens for the device in that folder. Throws where neither can be had.
  init(folder: String, loop: Loop, onNotification: @escaping (PushNotification) -> Void) throws(LoopError) {
    let path = "\(folder)/control.sock"
    let wanted = path.utf8.count <= Address.longestPath ? Address.unix(path: path) : .tcp(host: "127.0.0.1", port: 0)
    listener = try Listener(at: wanted, on: loop) { stream in
      var reader = LineReader()
      stream.onRead = { bytes in
        reader.append(bytes)
        do throws(PushLineError) {
          while let line = try reader.next() {
            onNotification(try PushNotification(payload: line))
            stream.write(Array("{\"delivered\":true}\n".utf8))
          }
        } catch {
          stream.write(PushLine.error(reason: "BadMessage", message: error.message).line)
          stream.shutdownAfterWrites()
        }
      }
    }
    address = listener.address
  }

  /// Stops listening.
  func close() { listener.close() }
}
