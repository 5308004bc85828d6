import ZoneKitSync

/// What a scripted reset empties.
package enum ResetTarget: Hashable, Sendable {
  /// A device's records and positions; its unsent edits stay where `keepingPending` is true. The cloud is not touched.
  case local(device: String, keepingPending: Bool)
  /// A device's positions in the feeds. The cloud is not touched.
  case tokens(device: String)
  /// The records of zones; a filter with no name means all of them, the cloud as a whole.
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

  /// The device or zone that is meant; nil where it is more than one.
  package var name: String? {
    switch self {
    case .local(let device, _), .tokens(let device): device
    case .cloud(let filter): filter.zoneName?.text
    case .all: nil
    }
  }

  /// What a device forgets; nothing where the target is the cloud alone.
  var storeReset: StoreReset {
    switch self {
    case .local(_, let keepingPending): .local(keepingPending: keepingPending)
    case .tokens: .tokens
    case .cloud, .all: .local(keepingPending: false)
    }
  }
}
