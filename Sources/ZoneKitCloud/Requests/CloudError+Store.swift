import ZoneKitRecords

extension CloudError {
  /// The time after which a client may try again when the store failed, in milliseconds.
  static let storeRetryAfter: Int64 = 10_000

  /// The error for a client when the store failed. The client may try again later. A damaged zone is
  /// `zoneBusy`, so that a device does not let its other zones wait.
  init(_ error: StoreError, isOfZone: Bool = false) {
    let what =
      switch error.kind {
      case .full: "the disk is full"
      case .readOnly: "the store cannot be written"
      case .busy: "another process uses the store"
      case .corrupt: "the store is damaged"
      case .failed: "the store failed"
      }
    let code: CloudErrorCode = isOfZone && error.kind == .corrupt ? .zoneBusy : .serviceUnavailable
    self.init(code, "\(what): \(error)", retryAfterMilliseconds: Self.storeRetryAfter)
  }
}
