import ZoneKitRecords

/// Faults of requests, which are those of the real server.
extension VirtualCloud {
  /// A kind of request, to select the requests of a fault.
  public enum Operation: String, CaseIterable, Hashable, Sendable {
    /// Any request.
    case any
    /// A request that reads rows.
    case readRows
    /// A request that adds rows.
    case insertRows
    /// A request that adds rows or changes those that are there.
    case upsertRows
    /// A request that changes rows.
    case updateRows
    /// A request that removes rows.
    case deleteRows
    /// A call of a function of the schema.
    case callFunction
    /// A request that makes an account.
    case signUp
    /// A request that starts a session with a password.
    case signIn
    /// A request that continues a session.
    case refreshSession
    /// A request for the account of a session.
    case readUser
    /// A request that ends a session.
    case signOut
    /// A request that sends documents.
    case pushDocuments
    /// A request for all documents, or for those that changed.
    case fetchDocuments
    /// A request for documents by their names.
    case lookUpDocuments
    /// A request that asks which feeds have news.
    case fetchStatus

    /// The kinds in the words of the server's faults; nil for all.
    fileprivate var kinds: [FaultKind]? {
      switch self {
      case .any: nil
      case .pushDocuments: [.cloud(.saveRecords), .cloud(.deleteRecords), .cloud(.modifyZones)]
      case .fetchDocuments: [.cloud(.fetchZoneChanges)]
      case .lookUpDocuments: [.cloud(.lookupRecords)]
      case .fetchStatus: [.cloud(.fetchDatabaseChanges)]
      case .readRows, .insertRows, .upsertRows, .updateRows, .deleteRows, .callFunction, .signUp, .signIn,
        .refreshSession, .readUser, .signOut:
        TableRequestKind(rawValue: rawValue).map { [.table($0)] }
      }
    }
  }

  /// Loses the next requests of that kind before they reach the cloud; all further ones if `count` is nil.
  public func loseRequest(_ operation: Operation = .any, next count: Int? = 1) {
    add(.loseRequest, operation, count, "lost request")
  }

  /// Carries out the next requests of that kind and loses their answers.
  public func loseAnswer(_ operation: Operation = .any, next count: Int? = 1) {
    add(.loseAnswer, operation, count, "lost answer")
  }

  /// Delays the answers to the next requests of that kind. The virtual clock moves by that time.
  public func delayAnswer(_ operation: Operation = .any, by delay: Duration, next count: Int? = 1) {
    add(.delayAnswer(milliseconds: delay.milliseconds), operation, count, "late answer")
  }

  /// Makes the next requests of that kind arrive twice, as through a proxy that repeats them. The client gets the second answer.
  public func repeatRequest(_ operation: Operation = .any, next count: Int? = 1) {
    add(.repeatRequest, operation, count, "repeated request")
  }

  /// Answers the next requests of that kind with an error, without carrying them out. The status follows from the code, in the words
  /// of the protocol: 503 for `serviceUnavailable`, 429 for `requestRateLimited`, 401 for `notAuthenticated`.
  public func answer(
    _ operation: Operation = .any, with code: CloudErrorCode, retryAfter: Duration? = nil, next count: Int? = 1
  ) {
    let error = CloudError(code, "asked for by the test", retryAfterMilliseconds: retryAfter?.milliseconds)
    add(.refuse(error), operation, count, code.rawValue)
  }

  /// Ends all faults.
  public func endFaults() { run.withLock { $0.faults.removeAll() } }

  private func add(_ action: FaultAction, _ operation: Operation, _ count: Int?, _ name: String) {
    var scope = FaultScope()
    scope.kinds = operation.kinds
    let fault = Fault(action, on: scope, name: name, times: count)
    run.withLock { _ = $0.faults.add(fault) }
  }
}
