import ZoneKitMemoryStores
import ZoneKitRecords
import ZoneKitSync

/// Sign-ins that make local records those of an account.
extension World {
  /// Tells the checkers which records a sign-in made of the local ones, if it did. `before` is the disk before it.
  mutating func logAdoption(on device: Int, from before: MemoryDeviceStore) {
    let state = devices[device]
    guard state.app.configuration.merging.adoptionRule != nil, before.account == nil, let account = state.store.account
    else {
      return
    }
    let zones = state.app.zones
    let adopted = Adoption(of: state.store, by: account, zones)
    check(device) { $0.model.adopted(adopted.records, by: account, on: device) }
    guard let text = state.app.simulation.judgeAdoption(Adoption(of: before, by: account, zones), adopted) else {
      return
    }
    checkers.report(Violation(.lostEdit, at: now, on: state.name, text))
  }
}

extension Adoption {
  /// The records in those zones of a disk, and the app's values on it.
  fileprivate init(of disk: MemoryDeviceStore, by account: Name, _ zones: [ZoneID]) {
    self.init(
      account: account, records: zones.flatMap { (try? disk.records(in: $0, metBefore: .max)) ?? [] },
      appValues: (try? disk.appValues()) ?? [:])
  }
}

extension MemoryDeviceStore {
  /// The account of the content; nil for local content.
  fileprivate var account: Name? { (try? values())?[.account]?.text.map { Name($0) } }
}
