import ZoneKitRecords

extension CloudError {
  /// The error for a client when the store failed. The client may try again later.
  init(_ error: StoreError) {
    let what =
      switch error.kind {
      case .full: "the disk is full"
      case .readOnly: "the store cannot be written"
      case .busy: "another process uses the store"
      case .corrupt: "the store is damaged"
      case .failed: "the store failed"
      }
    self.init(.serviceUnavailable, "\(what): \(error)")
  }
}
