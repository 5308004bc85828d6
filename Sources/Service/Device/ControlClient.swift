import EventLoop
import Records
import Storage
import Wire

/// Speaks to a running device through its control socket: one line there, one line back.
package enum ControlClient {
  /// How long a device may take to answer, in milliseconds.
  static let patience: Int64 = 2_000

  /// The control socket of the device in that folder; nil where no process runs it.
  package static func address(ofDeviceIn folder: String) -> Address? {
    guard let text = try? DirectoryLock.owner(of: folder), let owner = try? JSON(parsing: text) else { return nil }
    return owner["control"]?.string.flatMap { try? Address(parsing: $0) }
  }

  /// Says a line and returns the answer. Throws where there is none in time, or it is not JSON.
  package static func ask(_ line: JSON, at address: Address) throws(ServiceError) -> JSON {
    let loop: Loop
    do {
      loop = try Loop()
    } catch {
      throw ServiceError(error)
    }
    var result: Result<JSON, ServiceError> = .failure(ServiceError("\(address) did not answer within \(patience) ms"))
    let stream = EventLoop.Connection(to: address, on: loop)
    let limit = Timer(on: loop) { loop.stop() }
    limit.schedule(after: patience)
    var reader = LineReader(limit: 16 << 20)
    stream.onRead = { bytes in
      reader.append(bytes)
      do {
        guard let line = try reader.next() else { return }
        result = .success(try JSON(parsing: line))
      } catch {
        result = .failure(ServiceError("\(address) answered with something that is not JSON: \(error)"))
      }
      loop.stop()
    }
    stream.onClose = { reason in
      if case .failed(let error) = reason { result = .failure(ServiceError(error)) }
      loop.stop()
    }
    stream.write(line.bytes() + [UInt8(ascii: "\n")])
    loop.run()
    loop.closeAll()
    return try result.get()
  }
}
