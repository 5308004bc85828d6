import ZoneKitRecords

/// Something that happened in the push service.
package enum PushFact: Equatable, Sendable {
  /// A token was registered for an account.
  case registered(device: String, account: PushGateway.Account)
  /// A token was unregistered.
  case unregistered(device: String)
  /// A token became invalid because its device registered another one. The cloud may forget it.
  case retired(device: String, token: String, account: PushGateway.Account)
  /// A device or watcher connected.
  case connected(device: String, watches: Bool)
  /// A device or watcher disconnected.
  case disconnected(device: String)
  /// A hello was refused.
  case refused(PushGateway.CloseReason)
  /// A fault hit a notification on its way to a connected device or watcher.
  case disturbed(device: String, notificationID: String?, PushFault)
  /// A notification reached one of its outcomes for some devices.
  case handled(DeliveryResult)
}

extension Fact {
  /// The fact in the common form of all machines.
  package init(_ fact: PushFact) {
    switch fact {
    case .registered(let device, let account):
      self.init(
        .tokenRegistered, Self.members(device) + [JSON.Member("user", .string(account.user.text))],
        "\(device) registered its push token for \(account.user)")
    case .unregistered(let device):
      self.init(.tokenUnregistered, Self.members(device), "the push token of \(device) was unregistered")
    case .retired(let device, let token, let account):
      self.init(
        .tokenRetired,
        [JSON.Member](known: [
          "device": .string(device), "token": .string(PushRegistration.shortened(token)),
          "user": .string(account.user.text),
        ]),
        "a newer push token of \(device) replaced \(PushRegistration.shortened(token))")
    case .connected(let device, let watches):
      self.init(
        .subscriberConnected, Self.members(device) + [JSON.Member("watches", .bool(watches))], "\(device) connected")
    case .disconnected(let device):
      self.init(.subscriberDisconnected, Self.members(device), "\(device) disconnected")
    case .refused(let reason):
      self.init(.helloRefused, [JSON.Member("reason", .string(reason.rawValue))], "hello refused: \(reason.message)")
    case .disturbed(let device, let id, let fault):
      self.init(
        .pushDisturbed,
        Self.members(device) + [
          JSON.Member("id", id.map(JSON.string) ?? .null), JSON.Member("fault", .string(fault.summary)),
        ],
        "push \(id ?? "without ID") for \(device): a fault, \(fault.summary)")
    case .handled(let result): self.init(.notificationHandled, result.members, result.text)
    }
  }

  private static func members(_ device: String) -> [JSON.Member] { [JSON.Member("device", .string(device))] }
}
