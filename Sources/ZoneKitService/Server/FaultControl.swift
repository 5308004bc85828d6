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

  /// A subject with the further names of its devices. `greeted` are the devices that say hello on the push socket.
  func named(_ subject: FaultSubject, greeted: [(deviceID: String, name: String)]? = nil) -> FaultSubject {
    func further(_ ids: [String]) -> [String] { ids.flatMap { deviceNames.names(of: $0, greeted: greeted) } }
    var subject = subject
    subject.devices += further(subject.devices)
    if let delivery = subject.delivery {
      subject.delivery?.receivers += further(delivery.receivers)
      subject.delivery?.authors += further(delivery.authors)
    }
    return subject
  }
}
