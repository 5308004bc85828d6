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

  /// The values of its sentence by the labels of the slots.
  var values: SlotValues {
    switch self {
    case .create(let zone, let holder), .delete(let zone, let holder), .purge(let zone, let holder),
      .resetKeys(let zone, let holder), .lose(let zone, let holder), .expireTokens(let zone, let holder):
      ["zone": .quoted(zone), "holder": .holder(holder)]
    case .forgetDeletions(let zone, let holder, let time):
      ["zone": .quoted(zone), "holder": .holder(holder), "time": time.map(SlotValue.time)]
    }
  }
}
