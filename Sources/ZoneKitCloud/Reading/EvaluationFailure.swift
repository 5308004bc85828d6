import ZoneKitRecords

/// The reason why an evaluation has no outcome.
package enum EvaluationFailure: Error, Hashable {
  /// The request, or the item that is evaluated, is refused with an error.
  case refused(CloudError)
  /// The store could not be read, so the whole request fails.
  case unreadable(StoreError)
  /// The request would read too much, so the whole request fails.
  case excessive(Excess)
  /// The working set lacks these needs. The evaluation is repeated after they are read.
  case absent([Need])

  /// Of what a request would read too much.
  package enum Excess: Hashable, Sendable {
    /// The bytes of records.
    case bytes
    /// The records that depend on those that it names.
    case dependents
  }

  /// The failure for an error with that code.
  static func refused(_ code: CloudErrorCode, _ reason: String) -> EvaluationFailure {
    .refused(CloudError(code, reason))
  }

  /// The error of one zone of a request that names several. A zone that cannot be read is noted and does not affect the
  /// others.
  func ofZone(noting unreadable: inout [StoreError]) throws(EvaluationFailure) -> CloudError {
    guard case .unreadable(let error) = self else { return try ofItem() }
    unreadable.append(error)
    return CloudError(error, isOfZone: true)
  }

  /// Fails the whole request if none of its zones could be read.
  static func check(_ unreadable: [StoreError], of count: Int) throws(EvaluationFailure) {
    if let first = unreadable.first, unreadable.count == count { throw .unreadable(first) }
  }

  /// The error of one item of a request. Throws a failure that concerns the whole request.
  func ofItem() throws(EvaluationFailure) -> CloudError {
    switch self {
    case .refused(let error): return error
    case .unreadable, .excessive, .absent: throw self
    }
  }
}
