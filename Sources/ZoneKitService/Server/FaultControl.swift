import ZoneKitRecords

/// Who may set a server's faults, how it is without them, and the names of devices in them.
struct FaultControl {
  /// Whether faults can be set: only on an open server that only this machine can reach.
  let isOpen: Bool
  /// The limits with which the server was started.
  let usualLimits: Limits
  /// The names of devices beside those in their requests.
  private let deviceNames: DeviceNames

  /// The control of a server with those limits.
  init(isOpen: Bool, limits: Limits, deviceNames: DeviceNames = DeviceNames()) {
    self.isOpen = isOpen
    self.deviceNames = deviceNames
    usualLimits = limits
  }

  /// The further names of the device of that ID.
  func names(ofDevice id: String?) -> [String] { id.map { deviceNames.names(of: $0) } ?? [] }

  /// A subject with the further names of its devices.
  func named(_ subject: FaultSubject) -> FaultSubject {
    var subject = subject
    subject.devices += subject.devices.flatMap { names(ofDevice: $0) }
    if let delivery = subject.delivery {
      subject.delivery?.receivers += delivery.receivers.flatMap { names(ofDevice: $0) }
      subject.delivery?.authors += delivery.authors.flatMap { names(ofDevice: $0) }
    }
    return subject
  }
}
