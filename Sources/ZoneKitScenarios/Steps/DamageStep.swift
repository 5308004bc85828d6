/// A step that damages or replaces what the cloud or a device has stored, or rebuilds it. A zone step without a name is
/// about the app's own zone.
package enum DamageStep: Hashable, Sendable {
  /// `damage A's last action in the cloud of A`'s account: a bit of the stored record flips.
  case damageRecord(RecordReference, of: Holder)
  /// `damage photo 3 in the cloud of A`'s account: a bit of its stored bytes flips.
  case damagePhoto(Int, of: Holder)
  /// `back up the zone of A`'s account: a copy of its file is kept.
  case backUpZone(String?, of: Holder)
  /// `restore the zone of A from its backup`: the copy replaces the file, also while the cloud runs.
  case restoreZone(String?, of: Holder)
  /// `the zone of A loses its last 2 commits`: the cloud is killed, the end of the file's WAL is damaged, and the cloud
  /// is started again.
  case loseCommits(Int, String?, of: Holder)
  /// `back up the cloud`: a copy of its whole folder is kept.
  case backUpCloud
  /// `restore the cloud from its backup`: it is stopped, the copy replaces its whole folder, and it is started again.
  case restoreCloud
  /// `repair the cloud`: it is stopped, damaged zones are rebuilt from what can be read, and it is started again.
  case repairCloud
  /// `damage the tokens of A`: the change tokens that the device has stored become unreadable for the cloud.
  case damageTokens(TokenKind, of: String)

  /// The line from which the parser makes this step.
  package var text: String {
    switch self {
    case .damageRecord(let record, let holder): "damage \(record.text) in the cloud of \(holder.text)"
    case .damagePhoto(let number, let holder): "damage photo \(number) in the cloud of \(holder.text)"
    case .backUpZone(let zone, let holder): "back up \(ZoneStep.zone(zone)) of \(holder.text)"
    case .restoreZone(let zone, let holder): "restore \(ZoneStep.zone(zone)) of \(holder.text) from its backup"
    case .loseCommits(let count, let zone, let holder):
      "\(ZoneStep.zone(zone)) of \(holder.text) loses its last " + (count == 1 ? "commit" : "\(count) commits")
    case .backUpCloud: "back up the cloud"
    case .restoreCloud: "restore the cloud from its backup"
    case .repairCloud: "repair the cloud"
    case .damageTokens(let kind, let device): "damage the \(kind.rawValue) of \(device)"
    }
  }
}
