import ZoneKitSync

/// What a scripted reset empties.
package enum ResetTarget: Hashable, Sendable {
  /// A device's records and change tokens. If `keepingPending` is true, unsent edits are kept. The cloud is unchanged.
  case local(device: String, keepingPending: Bool)
  /// A device's change tokens. The cloud is unchanged.
  case tokens(device: String)
  /// The records of zones in the cloud. A filter without a name includes all zones.
  case cloud(ZoneFilter)
  /// The records of all zones and of all devices.
  case all

  /// The target of a reset of one device.
  init(_ reset: StoreReset, of device: String) {
    switch reset {
    case .tokens: self = .tokens(device: device)
    case .local(let keepingPending): self = .local(device: device, keepingPending: keepingPending)
    }
  }

  /// The word for the target in output and in the names of backups.
  package var word: String {
    switch self {
    case .local: "local"
    case .tokens: "tokens"
    case .cloud(let filter): filter.zoneName == nil ? "cloud" : "zone"
    case .all: "all"
    }
  }

  /// The name of the device or zone; nil if the target includes several.
  package var name: String? {
    switch self {
    case .local(let device, _), .tokens(let device): device
    case .cloud(let filter): filter.zoneName?.text
    case .all: nil
    }
  }

  /// What a reset removes from each device's store.
  var storeReset: StoreReset {
    switch self {
    case .local(_, let keepingPending): .local(keepingPending: keepingPending)
    case .tokens: .tokens
    case .cloud, .all: .local(keepingPending: false)
    }
  }
}
