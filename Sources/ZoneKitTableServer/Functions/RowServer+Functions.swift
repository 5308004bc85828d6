import ZoneKitCloud
import ZoneKitRecords
import ZoneKitTables

extension RowServer {
  /// Takes in a call of a function. `argument` is the JSON document of the request.
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
      let transaction = FunctionTransaction(
        app: app, function: function, account: account, argument: argument, known: preparedFunction)
      let database = app.database(of: account)
      return .submit(transaction, in: database, from: Caller(user: database.user, deviceID: caller.deviceID))
    }
  }

  /// The text of the JSON document that answers a call whose transaction has that result. What it has computed is kept for
  /// the next call.
  package mutating func callAnswer(to result: TransactionResult) -> Result<[UInt8], FunctionError> {
    switch result {
    case .done(let answer):
      guard let answer = answer.value(as: FunctionTransaction.Answer.self) else {
        return .failure(.unavailable("the answer of the transaction is of another kind; this is a defect"))
      }
      preparedFunction = answer.prepared
      return answer.text
    case .failed(let error): return .failure(.unavailable(error.reason))
    }
  }
}
