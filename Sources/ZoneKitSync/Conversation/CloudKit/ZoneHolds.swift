import ZoneKitRecords

/// Zones of which a request failed. Syncs leave them out for a while, so that a zone that fails does not hold back the
/// others.
struct ZoneHolds: Hashable, Sendable {
  /// What is not done with a zone.
  enum Use: Hashable, Sendable {
    case reading
    case sending
  }

  private struct Hold: Hashable, Sendable {
    var zoneID: ZoneID
    var use: Use
    var error: CloudError
    var heldAt: MonotonicTime
    /// The end of the hold; nil until the sync that failed has ended.
    var until: MonotonicTime?
  }

  private var holds: [Hold] = []

  /// A request failed because of a zone.
  mutating func hold(_ zoneID: ZoneID, _ use: Use, _ error: CloudError, at now: MonotonicTime) {
    end(zoneID, use)
    holds.append(Hold(zoneID: zoneID, use: use, error: error, heldAt: now, until: nil))
  }

  /// A request of that kind succeeded for a zone.
  mutating func end(_ zoneID: ZoneID, _ use: Use) { holds.removeAll { $0.zoneID == zoneID && $0.use == use } }

  /// The sync in which zones failed has ended, and is tried again at that time. A zone with a later retry time of the
  /// cloud is held until then.
  mutating func syncEnded(retryAt time: MonotonicTime) {
    for index in holds.indices where holds[index].until == nil {
      let asked = holds[index].error.retryAfterMilliseconds.map { holds[index].heldAt.advanced(byMilliseconds: $0) }
      holds[index].until = max(asked ?? time, time)
    }
  }

  /// When the first zone may be asked again; nil if none is held.
  var firstEnd: MonotonicTime? { holds.compactMap(\.until).min() }

  /// A sync started. A sync that the user requested respects only retry times of the cloud.
  mutating func syncBegan(isManual: Bool, at now: MonotonicTime) {
    holds.removeAll { hold in
      guard let until = hold.until, until > now else { return true }
      return isManual && hold.error.retryAfterMilliseconds == nil
    }
  }

  /// The zones that are held for that use, in the order of their failures.
  func zones(_ use: Use) -> [ZoneID] { holds.filter { $0.use == use }.map(\.zoneID) }

  /// The error of the first zone that a sync left out; nil for none. A sync that fetches nothing leaves out no reading.
  func error(isFetch: Bool) -> CloudError? { holds.first { isFetch || $0.use == .sending }?.error }
}
