import ZoneKitRecords
import ZoneKitSync
import ZoneKitTableClient

/// Changes of the account and of the whole store. The app is launched anew, because what it shows is gone.
extension DeviceProcess {
  /// Resets the store. Throws if that fails; a disk that fails after the write has reset it.
  package mutating func reset(_ reset: StoreReset, at moment: Moment) throws(StoreError) {
    running = nil
    try attempt(at: moment) { (coordinator, moment, generator) throws(StoreError) in
      try coordinator.reset(reset, at: moment, using: &generator)
    }
  }

  /// The device's account becomes that one, nil for none. Throws if the store fails; a disk that fails after the write has
  /// changed the account. Without an account there is no session.
  package mutating func changeAccount(to account: Name?, at moment: Moment) throws(StoreError) {
    let depth = depth
    running = nil
    defer {
      add(photoSteps, above: depth)
      // The session ends first, so that nothing else is asked with it.
      if coordinator.account == nil { add([.signOut]) }
    }
    try attempt(at: moment) { (coordinator, moment, generator) throws(StoreError) in
      try coordinator.accountChanged(to: account, at: moment, using: &generator)
    }
  }

  /// Nobody is signed in any more, and the store holds those records and values of the app, in one transaction. Throws if
  /// the store fails.
  package mutating func signOut(
    restoring records: [LocalRecord], _ values: [String: DeviceValue], at moment: Moment
  ) throws(StoreError) {
    let depth = depth
    running = nil
    try attempt(at: moment) { (coordinator, moment, generator) throws(StoreError) in
      try coordinator.signOut(restoring: records, values, at: moment, using: &generator)
    }
    add(photoSteps, above: depth)
    add([.signOut])
  }

  /// The account of a session signs in. Throws if the store belongs to another account or fails; then the session ends.
  package mutating func signIn(_ session: StoredSession, at moment: Moment) throws(StoreError) {
    let (account, depth) = (Name(session.account.text), depth)
    running = nil
    do throws(StoreError) {
      if let other = coordinator.account, other != account {
        throw StoreError(.failed, "the store belongs to another account", place: "account \(other)")
      }
      let values = Self.storing(session).values
      try attempt(at: moment) { (coordinator, moment, generator) throws(StoreError) in
        try coordinator.accountChanged(to: account, setting: values, at: moment, using: &generator)
      }
      add([.tell(.hasSignedIn(session)), .readMigration, .resumeMigration] + photoSteps, above: depth)
    } catch {
      add([.signOut], above: depth)
      throw error
    }
  }
}
