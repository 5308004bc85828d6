import ZoneKitRecords
import ZoneKitSync
import ZoneKitTableClient
import ZoneKitTables

extension SimulatedDevice {
  /// A message for the link of an app with tables.
  enum TableMessage {
    case answer(TableLink.AskID, World.TableAnswer)
    case socketOpened
    case socketClosed
    case frame(ChannelFrame)
  }

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

  /// Passes an event to the link. Nil if the app has no tables.
  mutating func handleLink(
    _ now: MonotonicTime, _ event: (inout TableLink, MonotonicTime, inout SplitMix64) -> [TableLink.Effect]
  ) -> [TableLink.Effect]? {
    guard var link = link.take() else { return nil }
    link.deviceID = coordinator.deviceID
    defer { self.link = link }
    return event(&link, now, &generator)
  }

  /// When the next tick of the link is to be scheduled; nil if there is none, or if it is scheduled already.
  mutating func nextLinkTick(from now: MonotonicTime) -> MonotonicTime? {
    let due = isComputing ? link?.nextDeadline.map { max($0, now) } : nil
    defer { linkTickAt = due }
    return due == linkTickAt ? nil : due
  }

  /// The process ended.
  mutating func endLink() {
    link = nil
    photos?.forget()
    socket = nil
    linkEffects = []
    isCarryingOutLink = false
    linkTickAt = nil
    tableMailbox = []
  }
}
