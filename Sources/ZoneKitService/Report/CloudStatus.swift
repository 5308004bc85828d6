import ZoneKitEventLoop
import ZoneKitRecords
import ZoneKitWire

/// Gets the cloud's part of the diagnostics dump from a running server.
package enum CloudStatus {
  /// The time limit of an answer, in milliseconds.
  static let patience: Int64 = 5_000

  /// The answer to `/zonekit/status` at that address, asked with the server's key if it has one. Throws if there is none
  /// in time or if it is not JSON.
  package static func fetch(from address: Address, key: String? = nil) throws(ServiceError) -> JSON {
    let loop: Loop
    do {
      loop = try Loop()
    } catch {
      throw ServiceError(error)
    }
    var result: Result<JSON, ServiceError> = .failure(ServiceError("\(address) did not answer within \(patience) ms"))
    let client = HTTPClient(address: address, loop: loop)
    let limit = Timer(on: loop) { loop.stop() }
    limit.schedule(after: patience)
    let request = ClientRequest("GET", "/zonekit/status", fields: key.map { [ControlAccess.field(key: $0)] } ?? [])
    client.send(request) { answer in
      result = read(answer, from: address)
      loop.stop()
    }
    loop.run()
    loop.closeAll()
    return try result.get()
  }

  private static func read(
    _ answer: Result<HTTPResponse, HTTPClient.Failure>, from address: Address
  ) -> Result<JSON, ServiceError> {
    switch answer {
    case .failure(.notSent(let reason)), .failure(.answerLost(let reason)): return .failure(ServiceError(reason))
    case .success(let response):
      do {
        return .success(try JSON(parsing: response.body))
      } catch {
        return .failure(ServiceError("\(address) answered with something that is no status report: \(error)"))
      }
    }
  }
}
