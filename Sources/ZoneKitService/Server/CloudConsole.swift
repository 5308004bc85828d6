import ZoneKitEventLoop
import ZoneKitRecords
import ZoneKitWire

/// Asks a running server, on a loop that does other things as well: as a user's script does, and for what is only the
/// emulator's.
package final class CloudConsole {
  private let client: HTTPClient
  private let container: Name
  private let environment: Name

  /// A console of the server at that address, for one container. The connection is made with the first question and again
  /// after the server has closed it.
  package init(at address: Address, container: Name, environment: Name = "development", on loop: Loop) {
    client = HTTPClient(address: address, loop: loop)
    self.container = container
    self.environment = environment
  }

  /// Asks in an account's name, as no device. Told once, never inside this call.
  package func ask(
    _ request: CloudRequest, as user: Name, scope: DatabaseScope = .private,
    _ completion: @escaping (CloudResponse) -> Void
  ) {
    let caller = Caller(user: user)
    let database = DatabaseID(container: container, environment: environment, user: user, scope: scope)
    let message = ClientRequest(request, to: database, apiToken: CloudKitAdapter.testToken, caller: caller)
    client.send(message) { answer in
      switch answer {
      case .success(let response):
        completion(ClientResponseReader.read(status: response.status, body: response.body, to: request, as: caller))
      case .failure(let failure): completion(.failure(CloudError(.networkUnavailable, Self.reason(failure))))
      }
    }
  }

  /// Sends a request of the emulator's own, below `/zonekit/`; told the status and the answer, null where it has no body.
  /// Told once, never inside this call.
  package func send(
    _ method: String, _ path: String, _ body: JSON? = nil,
    _ completion: @escaping (Result<(status: Int, answer: JSON), ServiceError>) -> Void
  ) {
    var request = ClientRequest(getting: path)
    request.method = method
    request.body = body?.bytes() ?? []
    client.send(request) { answer in
      switch answer {
      case .failure(let failure): completion(.failure(ServiceError(Self.reason(failure))))
      case .success(let response) where response.body.isEmpty: completion(.success((response.status, .null)))
      case .success(let response):
        do {
          completion(.success((response.status, try JSON(parsing: response.body))))
        } catch {
          completion(.failure(ServiceError("\(path) was answered with something that is not JSON: \(error)")))
        }
      }
    }
  }

  /// Closes the connection.
  package func close() { client.close() }

  private static func reason(_ failure: HTTPClient.Failure) -> String {
    switch failure {
    case .notSent(let reason), .answerLost(let reason): reason
    }
  }
}
