import ZoneKitRecords

/// The reason why an evaluation has no outcome.
package enum EvaluationFailure: Error, Hashable {
  /// The request, or the item that is evaluated, is refused with an error.
  case refused(CloudError)
  /// The store could not be read, so the whole request fails.
  case unreadable(StoreError)
  /// The working set lacks these needs. The evaluation is repeated after they are read.
  case absent([Need])

  /// The failure for an error with that code.
  static func refused(_ code: CloudErrorCode, _ reason: String) -> EvaluationFailure {
    .refused(CloudError(code, reason))
  }

  /// The error of one item of a request. Throws a failure that concerns the whole request.
  func ofItem() throws(EvaluationFailure) -> CloudError {
    switch self {
    case .refused(let error): return error
    case .unreadable, .absent: throw self
    }
  }
}
