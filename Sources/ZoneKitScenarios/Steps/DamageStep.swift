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

  /// The values of its sentence by the labels of the slots.
  var values: SlotValues {
    switch self {
    case .damageRecord(let record, let holder): ["record": .record(record), "holder": .holder(holder)]
    case .damagePhoto(let number, let holder): ["number": .number(number), "holder": .holder(holder)]
    case .backUpZone(let zone, let holder), .restoreZone(let zone, let holder):
      ["zone": .quoted(zone), "holder": .holder(holder)]
    case .loseCommits(let count, let zone, let holder):
      ["number": count == 1 ? nil : .number(count), "zone": .quoted(zone), "holder": .holder(holder)]
    case .backUpCloud, .restoreCloud, .repairCloud: [:]
    case .damageTokens(_, let device): ["device": .name(device)]
    }
  }
}
