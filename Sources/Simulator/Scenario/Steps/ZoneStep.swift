/// What happens to a whole zone in the cloud.
package enum ZoneStep: Hashable, Sendable {
  /// `delete zone "x" of A`'s account; the app's own zone where nil.
  case delete(String?, of: String)
  /// `purge the zone of A`: the user removed the app's data in the settings.
  case purge(String?, of: String)
  /// `reset the keys of the zone of A`: its encrypted data is lost.
  case resetKeys(String?, of: String)
  /// `lose the zone of A` without an entry in any feed.
  case lose(String?, of: String)
  /// `forget the deletions in the zone of A`: the retention is over.
  case forgetDeletions(String?, of: String)

  /// The line that reads as this.
  package var text: String {
    switch self {
    case .delete(let zone, let device): "delete \(Self.zone(zone)) of \(device)"
    case .purge(let zone, let device): "purge \(Self.zone(zone)) of \(device)"
    case .resetKeys(let zone, let device): "reset the keys of \(Self.zone(zone)) of \(device)"
    case .lose(let zone, let device): "lose \(Self.zone(zone)) of \(device)"
    case .forgetDeletions(let zone, let device): "forget the deletions in \(Self.zone(zone)) of \(device)"
    }
  }

  private static func zone(_ name: String?) -> String { name.map { "zone \(ScenarioWord.quoted($0))" } ?? "the zone" }
}
