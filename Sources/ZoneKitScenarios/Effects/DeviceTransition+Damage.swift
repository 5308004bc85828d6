import ZoneKitRecords
import ZoneKitSync

extension DeviceTransition {
  /// The transition that replaces the stored change tokens of those feeds by some that no cloud can read.
  package init(damaging kind: TokenKind, in store: some DeviceStore, scope: DatabaseScope) throws(StoreError) {
    self.init()
    let garbage = ChangeToken("AAAA")
    if kind != .zone, let key = DeviceKey.feedPosition(of: scope)?.token, try store.values()[key] != nil {
      values = [ValueChange(key, .text(garbage.text))]
    }
    guard kind != .database else { return }
    for zone in try store.zones() where zone.token != nil {
      var damaged = zone
      damaged.token = garbage
      zones.append(damaged)
    }
  }
}
