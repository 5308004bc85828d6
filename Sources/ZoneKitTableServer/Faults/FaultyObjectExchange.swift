import ZoneKitCloud
import ZoneKitRecords
import ZoneKitTables

/// A request for objects that faults hit: how often it is carried out, and what the client gets as the answer.
package struct FaultyObjectExchange: Hashable, Sendable {
  /// The faults.
  package let faults: RequestFaults

  /// A request that those faults hit.
  package init(_ faults: RequestFaults) { self.faults = faults }

  /// How often the request is carried out: 0, 1 or 2. The last answer counts.
  package var applications: Int { refusal == nil ? faults.applications : 0 }

  /// The answer to the client, given the server's last answer (nil if there was none). Nil if no answer is sent.
  package func answer(to response: ObjectResponse?) -> ObjectResponse? {
    guard !faults.losesAnswer else { return nil }
    return refusal.map { .refused($0) } ?? response
  }

  /// The error that is answered instead of the response.
  private var refusal: ObjectError? {
    if let refusal = faults.refusal { return ObjectError(refusal) }
    return faults.contains(.expireTokens) ? .invalidToken : nil
  }
}
