import ZoneKitCloud
import ZoneKitRecords
import ZoneKitTables

/// A request to the accounts that faults hit.
package typealias FaultyAccountExchange = RefusableExchange<AccountResponse>
/// A request for objects that faults hit.
package typealias FaultyObjectExchange = RefusableExchange<ObjectResponse>

/// A call of a function that faults hit.
package typealias FaultyFunctionExchange = RefusableExchange<Result<[UInt8], FunctionError>>

/// A request that faults hit and do not change: how often it is carried out, and what the client gets as the answer.
package struct RefusableExchange<Response: Sendable>: Sendable {
  /// The faults.
  package let faults: RequestFaults
  /// The error that is answered instead of the response; nil for none.
  private let refusal: Response?

  /// A request that those faults hit. `refusal` is answered instead of the response; nil for none.
  package init(faults: RequestFaults, refusal: Response?) {
    self.faults = faults
    self.refusal = refusal
  }

  /// How often the request is carried out: 0, 1 or 2. The last answer counts.
  package var applications: Int { refusal == nil ? faults.applications : 0 }

  /// The answer to the client, given the server's last answer (nil if there was none). Nil if no answer is sent.
  package func answer(to response: Response?) -> Response? { faults.losesAnswer ? nil : refusal ?? response }
}

extension RefusableExchange<AccountResponse> {
  /// A request that those faults hit.
  package init(_ faults: RequestFaults) {
    let error: AccountError? =
      if let refusal = faults.refusal {
        AccountError(refusal)
      } else if faults.contains(.expireTokens) {
        .badToken(.expired(seconds: 0))
      } else {
        faults.contains(.endSession) ? .endedSession : nil
      }
    self.init(faults: faults, refusal: error.map { .failure($0) })
  }
}

extension RefusableExchange<ObjectResponse> {
  /// A request that those faults hit.
  package init(_ faults: RequestFaults) {
    let error = faults.refusal.map { ObjectError($0) } ?? (faults.contains(.expireTokens) ? .invalidToken : nil)
    self.init(faults: faults, refusal: error.map { .refused($0) })
  }
}

extension RefusableExchange<Result<[UInt8], FunctionError>> {
  /// A call that those faults hit.
  package init(_ faults: RequestFaults) {
    let expired = ServiceRefusal(401, code: "invalid_jwt", "Invalid JWT")
    let refusal = faults.refusal ?? (faults.contains(.expireTokens) ? expired : nil)
    self.init(faults: faults, refusal: refusal.map { .failure(.refused($0)) })
  }
}
