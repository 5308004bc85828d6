import ZoneKitRecords

extension CloudError {
  /// The error for a record that does not exist. If the zone lost commits and has no tombstone of the record, the record
  /// may be among what was lost. So it is if the client has a version of it and the zone never had it.
  init(missing name: Name, isUnknown: Bool, in zone: ZoneHeader?, base: ChangeTag? = nil) {
    self.init(.unknownItem, "did not find record \(name)")
    guard isUnknown, let zone else { return }
    let hasVersion = base != nil
    let isOfLost = base?.sequence.map { !zone.covers($0) } ?? false
    isAfterLoss = zone.isAfterLoss || (hasVersion && (zone.isWholeHistory || isOfLost))
  }

  /// The time after which a client may try again when the store failed, in milliseconds.
  static let storeRetryAfter: Int64 = 10_000

  /// The error for a client when the store failed. The client may try again later. A damaged zone is
  /// `zoneBusy`, so that a device does not let its other zones wait.
  package init(_ error: StoreError, isOfZone: Bool = false) {
    let what =
      switch error.kind {
      case .full: "the disk is full"
      case .readOnly: "the store cannot be written"
      case .busy: "another process uses the store"
      case .corrupt: "the store is damaged"
      case .interrupted: "the reading was ended"
      case .failed: "the store failed"
      }
    let code: CloudErrorCode = isOfZone && error.kind == .corrupt ? .zoneBusy : .serviceUnavailable
    self.init(code, "\(what): \(error)", retryAfterMilliseconds: Self.storeRetryAfter)
  }
}
