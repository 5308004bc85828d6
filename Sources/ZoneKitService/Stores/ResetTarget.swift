import ZoneKitSync

/// The store that a scripted reset empties.
package enum ResetTarget: Hashable, Sendable {
  /// A device's records and change tokens; its unsent edits stay where `keepingPending` is true. The cloud is not touched.
  case local(device: String, keepingPending: Bool)
  /// A device's change tokens. The cloud is not touched.
  case tokens(device: String)
  /// The records of zones; a filter without a name means all zones.
  case cloud(ZoneFilter)
  /// The records of all zones and of all devices.
  case all

  /// The word for it in output and in the names of backups.
  package var word: String {
    switch self {
    case .local: "local"
    case .tokens: "tokens"
    case .cloud(let filter): filter.zoneName == nil ? "cloud" : "zone"
    case .all: "all"
    }
  }

  /// The name of the device or zone; nil where the target is more than one.
  package var name: String? {
    switch self {
    case .local(let device, _), .tokens(let device): device
    case .cloud(let filter): filter.zoneName?.text
    case .all: nil
    }
  }

  /// What the target's devices forget.
  var storeReset: StoreReset {
    switch self {
    case .local(_, let keepingPending): .local(keepingPending: keepingPending)
    case .tokens: .tokens
    case .cloud, .all: .local(keepingPending: false)
    }
  }
}
