import EventLoop
import Records
import Wire

/// Asks a running device for its part of the diagnostics dump.
enum DeviceStatus {
  /// How long a device may take to answer, in milliseconds.
  static let patience: Int64 = 2_000
  /// The longest answer in bytes; twenty conflicts can carry twenty times two versions of a record, 1 MB each.
  static let answerLimit = 64 << 20

  /// What the device with that control socket says: an object of `device` and `traces`. Throws where it does not answer.
  static func fetch(from address: Address) throws(ServiceError) -> JSON {
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
    let stream = Connection(to: address, on: loop)
    var reader = LineReader(limit: answerLimit)
    stream.onRead = { bytes in
      reader.append(bytes)
      if let outcome = answer(&reader, from: address) { end(outcome) }
    }
    stream.onClose = { reason in
      if case .failed(let error) = reason { return end(.failure(ServiceError(error))) }
      end(.failure(ServiceError("\(address) ended the connection without an answer")))
    }
    stream.write(Array("{\"ask\":\"diagnostics\"}\n".utf8))
    loop.run()
    let outcome = result ?? .failure(ServiceError("\(address) gave no answer"))
    loop.closeAll()
    return try outcome.get()
  }

  /// The answer, once it is whole.
  private static func answer(_ reader: inout LineReader, from address: Address) -> Result<JSON, ServiceError>? {
    do {
      guard let line = try reader.next() else { return nil }
      let answer = try JSON(parsing: line)
      guard answer["device"]?.object != nil else {
        return .failure(ServiceError("\(address) answered \(answer.text().prefix(200))"))
      }
      return .success(answer)
    } catch {
      return .failure(ServiceError("\(address) answered with something that is no diagnostics: \(error)"))
    }
  }
}
