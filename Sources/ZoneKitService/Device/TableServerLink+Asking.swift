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

  /// Reads all rows of a table, page by page.
  func rows(of table: Table, completion: @escaping (Result<[Row], AskFailure>) -> Void) {
    read(table, [], completion)
  }

  /// The most rows of one answer.
  private static let pageLimit = 1_000

  private func read(
    _ table: Table, _ rows: [Row], _ completion: @escaping (Result<[Row], AskFailure>) -> Void
  ) {
    let request = RowRequest.read(table.name, RowQuery(limit: Self.pageLimit, offset: rows.count), isHead: false)
    ask {
      ClientRequest(request, RowDemands(), of: table, from: $0)
    } completion: { [weak self] answer in
      switch answer.flatMap({ Self.rows(in: $0, of: table) }) {
      case .failure(let failure): completion(.failure(failure))
      case .success(let page) where page.count < Self.pageLimit: completion(.success(rows + page))
      case .success(let page): self?.read(table, rows + page, completion)
      }
    }
  }

  private static func rows(in response: HTTPResponse, of table: Table) -> Result<[Row], AskFailure> {
    switch RowOutcome(response, of: table) {
    case .done(let result): if case .rows(let rows) = result.rows { .success(rows) } else { .success([]) }
    case .refused(let refusal): .failure(AskFailure(description: "\(table.name): \(refusal.message)"))
    case .notSent(let reason), .answerLost(let reason):
      .failure(AskFailure(description: "\(table.name): \(reason)"))
    }
  }

  /// Removes a row for good. One that is not there counts as removed.
  func remove(_ key: RowKey, from table: Table, completion: @escaping (Result<Void, AskFailure>) -> Void) {
    let filters = zip(table.key, key.parts).map { RowFilter.compare($0, .equal, .uuid($1)) }
    ask {
      ClientRequest(.delete(table.name, RowQuery(filters: filters)), RowDemands(), of: table, from: $0)
    } completion: { answer in
      completion(answer.flatMap { Self.rows(in: $0, of: table) }.map { _ in () })
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
    guard isOnline else { return completion(.failure(AskFailure(description: "the device is offline"))) }
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
