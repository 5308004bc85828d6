import Testing
import ZoneKitRecords
import ZoneKitSimulator
import ZoneKitTables

@testable import ZoneKitTableClient

private typealias T = TestService

@Suite struct `photos on a device's link to a table server` {
  private var link = TableLink(app: T.app, deviceID: "D")
  private var generator = SplitMix64(seed: 1)

  private func time(_ milliseconds: Int64) -> MonotonicTime { MonotonicTime(milliseconds: milliseconds) }
  private func ask(_ number: UInt64) -> TableLink.AskID { TableLink.AskID(number: number) }

  private func grant(_ access: String) -> AccountOutcome {
    .session(
      AccountGrant(
        account: T.account, email: "m@example.test",
        tokens: SessionTokens(access: access, refresh: "r", life: 3_600_000)))
  }

  private static let record = RecordID(recordName: T.name("persons", 1), zoneID: T.zoneID)

  private func sight() throws -> PhotoQueue.Sight {
    var sight = PhotoQueue.Sight()
    let name = try #require(PhotoName(hash: String(repeating: "a", count: 64)))
    sight.queued[Self.record] = QueuedPhoto(
      name: name, size: 5, mediaType: "image/png", since: WallTime(milliseconds: 1))
    return sight
  }

  private mutating func signIn() {
    _ = link.signIn(email: "m@example.test", password: "secret")
    _ = link.accountAnswered(ask(1), grant("a1"), at: time(0))
  }

  /// The token of the transfer among effects; nil if there is none.
  private func token(_ effects: [TableLink.Effect]) -> String? {
    for case .askObject(_, let transfer, let token) in effects {
      return transfer.path == "\(T.account.text)/people/\(T.id(1).text)/\(String(repeating: "a", count: 32)).jpg"
        ? token : nil
    }
    return nil
  }

  @Test mutating func `a photo waits for a session, and goes with its token`() throws {
    #expect(token(link.photosSeen(try sight(), at: time(0))) == nil)
    signIn()
    #expect(token(link.photosSeen(try sight(), at: time(0))) == "a1")
    let effects = link.objectAnswered(ask(2), .stored, at: time(1), using: &generator)
    guard case .photo(.name(Self.record, _))? = effects.first else {
      Issue.record("the row is not named")
      return
    }
  }

  @Test mutating func `a refused token is replaced, and the photo goes again with the new one`() throws {
    signIn()
    _ = link.photosSeen(try sight(), at: time(0))
    let refusal = ObjectOutcome.refused(ServiceRefusal(403, code: "Unauthorized", "Invalid JWT"))
    let effects = link.objectAnswered(ask(2), refusal, at: time(1), using: &generator)
    #expect(effects == [.askAccount(ask(3), .refresh(token: "r"), token: nil)])
    #expect(token(link.accountAnswered(ask(3), grant("a2"), at: time(2))) == "a2")
    // The second refusal is one of the photo.
    let again = link.objectAnswered(ask(4), refusal, at: time(3), using: &generator)
    guard case .photo(.setAside(Self.record, let photo))? = again.first else {
      Issue.record("the photo is not set aside")
      return
    }
    #expect(photo.refusal == "Invalid JWT")
  }

  @Test mutating func `without a link or a session nothing goes, and it goes on when they are back`() throws {
    signIn()
    _ = link.photosSeen(try sight(), at: time(0))
    _ = link.linkChanged(isOnline: false, at: time(1))
    #expect(link.objectAnswered(ask(2), .stored, at: time(1), using: &generator) == [])
    #expect(token(link.tick(at: time(400_000), using: &generator)) == nil)
    #expect(token(link.linkChanged(isOnline: true, at: time(400_001))) == "a1")
    _ = link.signOut(at: time(400_002))
    #expect(token(link.photosSeen(try sight(), at: time(400_003))) == nil)
  }

  @Test mutating func `a failed transfer is tried again when its pause is over`() throws {
    signIn()
    _ = link.photosSeen(try sight(), at: time(0))
    _ = link.objectAnswered(ask(2), .failed("cut"), at: time(0), using: &generator)
    let deadline = try #require(link.nextDeadline)
    #expect((500...1_000).contains(deadline.milliseconds))
    #expect(token(link.tick(at: deadline, using: &generator)) == "a1")
  }

  @Test mutating func `held photos go when they are not held any more`() throws {
    signIn()
    _ = link.photosHeld(true, at: time(0))
    #expect(token(link.photosSeen(try sight(), at: time(0))) == nil)
    #expect(token(link.photosHeld(false, at: time(1))) == "a1")
  }
}
