import ZoneKitRecords

extension ServiceRefusal {
  /// The answer with that error. Its details are part of the sentence.
  package init(_ error: RowError) {
    self.init(
      error.status, code: error.code, Self.sentence(error.message, error.details), retryAfter: error.retryAfter)
  }

  /// The message with the details, if there are any.
  package static func sentence(_ message: String, _ details: String?) -> String {
    details.map { "\(message): \($0)" } ?? message
  }
}
