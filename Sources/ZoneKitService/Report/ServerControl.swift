import ZoneKitEventLoop
import ZoneKitRecords
import ZoneKitWire

/// Sends one request to the control interface of a running server.
enum ServerControl {
  /// The time limit of an answer, in milliseconds.
  private static let patience: Int64 = 5_000

  /// The status and the JSON of the answer, asked with the server's key if it has one. Throws if there is no answer in
  /// time or if it is not JSON.
  static func send(
    _ method: String, _ path: String, body: JSON? = nil, to address: Address, key: String?
  ) throws(ServiceError) -> (status: Int, body: JSON) {
    let loop: Loop
    do {
      loop = try Loop()
    } catch {
      throw ServiceError(error)
    }
    var result: Result<(status: Int, body: JSON), ServiceError> = .failure(
      ServiceError("\(address) did not answer within \(patience) ms"))
    let client = HTTPClient(address: address, loop: loop)
    let limit = Timer(on: loop) { loop.stop() }
    limit.schedule(after: patience)
    var request = ClientRequest(method, path, fields: key.map { [ControlAccess.field(key: $0)] } ?? [])
    request.body = body?.bytes() ?? []
    client.send(request) { answer in
      result = read(answer, from: address)
      loop.stop()
    }
    loop.run()
    loop.closeAll()
    return try result.get()
  }

  /// The JSON of the answer to a request of an administrator. Throws with the server's reason if it refuses.
  static func ask(
    _ server: (http: Address, key: String?), _ method: String, _ path: String, _ body: JSON? = nil
  ) throws(StoresError) -> JSON {
    let answer: (status: Int, body: JSON)
    do throws(ServiceError) {
      answer = try send(method, path, body: body, to: server.http, key: server.key)
    } catch {
      throw .unavailable("\(error)")
    }
    guard answer.status != 200 else { return answer.body }
    let reason = answer.body["reason"]?.string ?? "the server answered with status \(answer.status)"
    throw answer.status < 500 ? .input(reason) : .unavailable(reason)
  }

  private static func read(
    _ answer: Result<HTTPResponse, MissingAnswer>, from address: Address
  ) -> Result<(status: Int, body: JSON), ServiceError> {
    switch answer {
    case .failure(let missing): return .failure(ServiceError(missing.reason))
    case .success(let response):
      do {
        return .success((response.status, try JSON(parsing: response.body)))
      } catch {
        return .failure(ServiceError("\(address) answered with something that is no JSON: \(error)"))
      }
    }
  }
}
