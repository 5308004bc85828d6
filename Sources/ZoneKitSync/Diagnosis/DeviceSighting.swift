import ZoneKitRecords

/// What a device's store says about one record and about the device, as somebody sees who reads its file.
package struct DeviceSighting: Hashable, Sendable {
  /// The record; nil where the device has none.
  package var record: LocalRecord?
  /// What the device knows of the record's zone; nil where it knows nothing.
  package var zone: ZoneState?
  /// What the device remembers.
  package var values: [DeviceKey: DeviceValue]
  /// Whether a process has the store open.
  package var isRunning: Bool

  /// A device that remembers that.
  package init(record: LocalRecord?, zone: ZoneState?, values: [DeviceKey: DeviceValue], isRunning: Bool) {
    self.record = record
    self.zone = zone
    self.values = values
    self.isRunning = isRunning
  }

  /// A time that the device noted, by the cloud's clock.
  func cloudTime(_ key: DeviceKey) -> WallTime? {
    values[key]?.integer.map { WallTime(milliseconds: $0).advanced(byMilliseconds: clockOffset) }
  }

  /// The cloud's clock minus the device's, in milliseconds.
  private var clockOffset: Int64 { values[.clockOffset]?.integer ?? 0 }

  func text(_ key: DeviceKey) -> String? { values[key]?.text }

  /// How sure the device is of its subscription.
  var subscriptionState: DeviceDiagnostics.Subscription.State {
    text(.subscriptionState).flatMap(DeviceDiagnostics.Subscription.State.init(rawValue:)) ?? .unknown
  }

  /// What the last fetch failed with; nil where it did not fail or there was none.
  var failure: CloudErrorCode? {
    guard case .failed(let code, _)? = text(.fetchLastResult).flatMap(FetchResult.init(text:)) else { return nil }
    return code
  }
}
