import ZoneKitCloud
import ZoneKitRecords
import ZoneKitTables

extension RowServer {
  /// A call of a function arrived. `argument` is the JSON document of the request.
  package func call(
    _ name: String, _ argument: [UInt8], from caller: RowCaller
  ) -> TransactionReception<Result<[UInt8], FunctionError>> {
    guard let function = app.functions.first(where: { $0.name == name }) else {
      return .answer(.failure(.notFound("Requested function was not found")))
    }
    switch caller.role {
    case .anonymous: return .answer(.failure(.notSignedIn))
    case .service: return .answer(.failure(.invalid("\(name) needs the token of an account, not a service key")))
    case .account(let account):
      let call = FunctionCall(function: function, account: account, argument: argument)
      let transaction = FunctionTransaction(
        app: app, call: call, known: functionStates.position(of: call), pageRows: limits.functionRows)
      let database = app.database(of: account)
      return .submit(transaction, in: database, from: Caller(user: database.user, deviceID: caller.deviceID))
    }
  }

  /// What came of a call whose transaction has that result. What the function knows of the rows is kept for the next call:
  /// an app asks for the balance of each person in turn.
  package mutating func callProgress(after result: TransactionResult) -> FunctionProgress {
    switch result {
    case .failed(let error): return .answered(.failure(.unavailable(error.reason)))
    case .done(let answer):
      guard let changes = answer.value(as: FunctionTransaction.Answer.self) else {
        return .answered(.failure(.unavailable("the answer of the transaction is of another kind; this is a defect")))
      }
      do {
        guard try functionStates.take(changes, in: app.schema), !changes.moreComing else { return .unfinished }
      } catch {
        return .answered(.failure(.unavailable("\(error)")))
      }
      return .answered(functionStates.answer(to: changes.call))
    }
  }
}
