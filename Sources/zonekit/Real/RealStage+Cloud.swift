import NannyAndMe
import Records
import Service

/// What can be done to the cloud.
extension RealStage {
  /// Asks the cloud in an account's name and waits for the answer. Throws what the cloud answers as an error.
  @discardableResult
  func ask(_ request: CloudRequest, as account: String) throws(ExitFailure) -> CloudResponse {
    var answer: CloudResponse?
    console.ask(request, as: Name(account)) { [unowned self] in
      answer = $0
      somethingHappened()
    }
    try until("the server answers") { answer != nil }
    switch answer {
    case .failure(let error)?: throw .unavailable("the server refused: \(error.reason)")
    case let answer?: return answer
    case nil: throw .unavailable("the server did not answer")
    }
  }

  /// Sends a request of the emulator's own and waits for the answer. Throws where the server refuses it.
  @discardableResult
  func send(_ method: String, _ path: String, _ body: JSON? = nil) throws(ExitFailure) -> JSON {
    var result: Result<(status: Int, answer: JSON), ServiceError>?
    console.send(method, path, body) { [unowned self] in
      result = $0
      somethingHappened()
    }
    try until("the server answers \(method) \(path)") { result != nil }
    switch result {
    case .success(let (status, answer))? where (200..<300).contains(status): return answer
    case .success(let (status, answer))?:
      throw .unavailable("the server answered \(method) \(path) with \(status): \(answer["reason"]?.string ?? "")")
    case .failure(let error)?: throw .unavailable("\(error)")
    case nil: throw .unavailable("the server did not answer")
    }
  }

  /// Deletes a zone of an account, as one of its devices would that is not on the stage.
  func deleteZone(_ zoneName: String, of account: String) throws(ExitFailure) {
    try ask(.modifyZones([.delete(ZoneID(zoneName: Name(zoneName)))]), as: account)
  }

  /// Removes all subscriptions of an account without telling its devices.
  func loseSubscriptions(of account: String) throws(ExitFailure) {
    guard case .subscriptions(let found) = try ask(.listSubscriptions, as: account) else { return }
    let operations: [SubscriptionOperation] = found.compactMap { result in
      if case .subscription(let subscription) = result { .delete(subscription.subscriptionID) } else { nil }
    }
    if !operations.isEmpty { try ask(.modifySubscriptions(operations), as: account) }
  }
}
