import ZoneKitRecords

/// A step that acts on a whole zone in the cloud; on the app's own zone if it names none.
package enum ZoneStep: Hashable, Sendable {
  /// `create zone "x" of A`'s account.
  case create(String?, of: Holder)
  /// `delete zone "x" of A`'s account, or `of account nanny`.
  case delete(String?, of: Holder)
  /// `purge the zone of A`: as when the user removes the app's data in the settings.
  case purge(String?, of: Holder)
  /// `reset the keys of the zone of A`: as when the encrypted data of the zone is lost.
  case resetKeys(String?, of: Holder)
  /// `lose the zone of A`: the zone disappears without an entry in a feed.
  case lose(String?, of: Holder)
  /// `forget the deletions in the zone of A`: as at the end of their retention; only those `made before` a time if it
  /// is given.
  case forgetDeletions(String?, of: Holder, before: WallTime?)
  /// `expire all tokens of the zone of A`.
  case expireTokens(String?, of: Holder)

  /// The line from which the parser makes this step.
  package var text: String {
    switch self {
    case .create(let zone, let holder): "create \(Self.zone(zone)) of \(holder.text)"
    case .delete(let zone, let holder): "delete \(Self.zone(zone)) of \(holder.text)"
    case .purge(let zone, let holder): "purge \(Self.zone(zone)) of \(holder.text)"
    case .resetKeys(let zone, let holder): "reset the keys of \(Self.zone(zone)) of \(holder.text)"
    case .lose(let zone, let holder): "lose \(Self.zone(zone)) of \(holder.text)"
    case .forgetDeletions(let zone, let holder, let time):
      "forget the deletions in \(Self.zone(zone)) of \(holder.text)" + (time.map { " made before \($0.iso8601)" } ?? "")
    case .expireTokens(let zone, let holder): "expire all tokens of \(Self.zone(zone)) of \(holder.text)"
    }
  }

  static func zone(_ name: String?) -> String { name.map { "zone \(ScenarioWord.quoted($0))" } ?? "the zone" }
}
