import ZoneKitEventLoop
import ZoneKitRecords
import ZoneKitStorage
import ZoneKitWire

/// Sends a line to the control socket of a running device and reads the line that it answers.
package enum ControlClient {
  /// The time limit of an answer, in milliseconds.
  package static let patience: Int64 = 2_000
  /// The longest answer in bytes. Twenty conflicts can hold forty versions of records of 1 MB each.
  static let answerLimit = 64 << 20

  /// The control socket of the device in that folder; nil if the device is not running.
  package static func address(ofDeviceIn folder: String) -> Address? {
    guard let text = try? DirectoryLock.owner(of: folder), let owner = try? JSON(parsing: text) else { return nil }
    return owner["control"]?.string.flatMap { try? Address(parsing: $0) }
  }

  /// Sends a line and returns the answer. Throws if there is no answer within that time in milliseconds, or if it is not JSON.
  package static func ask(
    _ line: JSON, at address: Address, within patience: Int64 = ControlClient.patience
  ) throws(ServiceError) -> JSON {
    let loop: Loop
    do {
      loop = try Loop()
    } catch {
      throw ServiceError(error)
    }
    var result: Result<JSON, ServiceError>?
    func end(_ outcome: Result<JSON, ServiceError>) {
      result = result ?? outcome
      loop.stop()
    }
    let limit = Timer(on: loop) {
      end(.failure(ServiceError("\(address) did not answer within \(patience) ms")))
    }
    limit.schedule(after: patience)
    let stream = ZoneKitEventLoop.Connection(to: address, on: loop)
    var reader = LineReader(limit: answerLimit)
    stream.onRead = { bytes in
      reader.append(bytes)
      if let outcome = answer(&reader, from: address) { end(outcome) }
    }
    stream.onClose = { reason in
      if case .failed(let error) = reason { return end(.failure(ServiceError(error))) }
      end(.failure(ServiceError("\(address) ended the connection without an answer")))
    }
    stream.write(line.bytes() + [UInt8(ascii: "\n")])
    loop.run()
    let outcome = result ?? .failure(ServiceError("\(address) gave no answer"))
    loop.closeAll()
    return try outcome.get()
  }

  /// The answer; nil until it is complete.
  private static func answer(_ reader: inout LineReader, from address: Address) -> Result<JSON, ServiceError>? {
    do {
      guard let line = try reader.next() else { return nil }
      return .success(try JSON(parsing: line))
    } catch {
      return .failure(ServiceError("\(address) answered with something that is not JSON: \(error)"))
    }
  }
}
