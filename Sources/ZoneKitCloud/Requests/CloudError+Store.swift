import ZoneKitRecords

extension CloudError {
  /// What a client is told when the machine room failed: try again later, and why.
  init(_ error: StoreError) {
    let trouble =
      switch error.kind {
      case .full: "the disk is full"
      case .readOnly: "the store cannot be written"
      case .busy: "the store is in use by somebody else"
      case .corrupt: "the store is damaged"
      case .failed: "the store failed"
      }
    self.init(.serviceUnavailable, "\(trouble): \(error)")
  }
}

extension CloudError {
  /// The error of one item of a request. What the machine room does is about the whole request and is thrown on.
  func ofItem() throws(CloudError) -> CloudError {
    guard code != .serviceUnavailable else { throw self }
    return self
  }
}
