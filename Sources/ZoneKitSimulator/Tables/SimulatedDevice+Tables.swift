import ZoneKitRecords
import ZoneKitTableClient
import ZoneKitTables

extension SimulatedDevice {
  /// The session on the disk; nil if there is none.
  var storedSession: StoredSession? {
    guard case .text(let text)? = (try? store.appValues())?[StoredSession.key] else { return nil }
    return StoredSession(text)
  }

  /// Whether the account is signed in that the user wants.
  var isSignedInAsWanted: Bool {
    guard let wantedAccount else { return true }
    return coordinator.account == wantedAccount && link?.isSignedIn == true
  }
}
