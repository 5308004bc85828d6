import ZoneKitRecords

/// Why an evaluation has no outcome.
package enum EvaluationFailure: Error, Hashable {
  /// The request, or the item that is evaluated, is refused with that error.
  case refused(CloudError)
  /// The store could not be read, so the request as a whole cannot be done.
  case unreadable(StoreError)
  /// The working set lacks these; the evaluation is repeated once they were read.
  case absent([Need])

  /// A refusal with that error.
  static func refused(_ code: CloudErrorCode, _ reason: String) -> EvaluationFailure {
    .refused(CloudError(code, reason))
  }

  /// The error of one item of a request. Throws what is not about the item but about the whole request.
  func ofItem() throws(EvaluationFailure) -> CloudError {
    switch self {
    case .refused(let error): return error
    case .unreadable, .absent: throw self
    }
  }
}
