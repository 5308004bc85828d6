import ZoneKitRecords
import ZoneKitTables
import ZoneKitWire

/// What a device asks the table server beside the coordinator's requests.
extension TableServerLink {
  /// The error of a request, as a sentence.
  package struct AskFailure: Error, CustomStringConvertible {
    /// What is wrong.
    package let description: String
  }

  /// Asks for the number of rows of a table.
  package func count(_ table: Table, completion: @escaping (Result<Int, AskFailure>) -> Void) {
    let request = RowRequest.read(table.name, RowQuery(limit: 1), isHead: false)
    ask {
      ClientRequest(request, RowDemands(countsRows: true), of: table, from: $0)
    } completion: { answer in
      completion(
        answer.flatMap { response in
          guard case .done(let result) = RowOutcome(response, of: table), let total = result.total else {
            return .failure(AskFailure(description: "\(table.name) cannot be counted: status \(response.status)"))
          }
          return .success(total)
        })
    }
  }

  /// Calls a function. The answer is nil if the function answers with an error.
  package func call(
    _ function: String, _ argument: JSON, completion: @escaping (Result<JSON?, AskFailure>) -> Void
  ) {
    ask {
      ClientRequest(calling: function, argument, from: $0)
    } completion: { answer in
      completion(
        answer.map { response in
          (200..<300).contains(response.status) ? try? JSON(parsing: response.body) : nil
        })
    }
  }

  /// Sends a request with the session's access token.
  private func ask(
    _ request: (SupabaseSender) -> ClientRequest, completion: @escaping (Result<HTTPResponse, AskFailure>) -> Void
  ) {
    guard let token = machine.accessToken(at: MonotonicTime(milliseconds: loop.now)) else {
      return completion(.failure(AskFailure(description: "there is no session")))
    }
    http.send(request(sender(token: token))) { answer in
      switch answer {
      case .success(let response): completion(.success(response))
      case .failure(.notSent(let reason)), .failure(.answerLost(let reason)):
        completion(.failure(AskFailure(description: reason)))
      }
    }
  }
}
