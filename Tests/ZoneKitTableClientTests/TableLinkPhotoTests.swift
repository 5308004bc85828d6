import Testing
import ZoneKitRecords
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

  /// A store with that many photos that wait to be uploaded.
  private func sight(_ count: UInt64 = 1) throws -> PhotoQueue.Sight {
    var sight = PhotoQueue.Sight()
    let name = try #require(PhotoName(hash: String(repeating: "a", count: 64)))
    for number in 1...count {
      let record = RecordID(recordName: T.name("persons", number), zoneID: T.zoneID)
      sight.queued[record] = QueuedPhoto(
        name: name, size: 5, mediaType: "image/png", since: WallTime(milliseconds: Int64(number)))
    }
    return sight
  }

  /// The requests for objects among effects, with their tokens.
  private func asks(_ effects: [TableLink.Effect]) -> [String] {
    effects.compactMap { effect in
      guard case .askObject(let id, _, let token) = effect else { return nil }
      return "\(id.number) \(token)"
    }
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

  @Test mutating func `several photos whose token is refused go again with one new token`() throws {
    signIn()
    #expect(asks(link.photosSeen(try sight(3), at: time(0))) == ["2 a1", "3 a1", "4 a1"])
    let refusal = ObjectOutcome.refused(ServiceRefusal(401, code: "Unauthorized", "Invalid JWT"))
    let effects = link.objectAnswered(ask(2), refusal, at: time(1), using: &generator)
    #expect(effects == [.askAccount(ask(5), .refresh(token: "r"), token: nil)])
    #expect(link.objectAnswered(ask(3), refusal, at: time(1), using: &generator) == [])
    #expect(asks(link.accountAnswered(ask(5), grant("a2"), at: time(2))) == ["6 a2", "7 a2"])
    // The answer to a request with the replaced token comes late.
    #expect(asks(link.objectAnswered(ask(4), refusal, at: time(3), using: &generator)) == ["8 a2"])
    let named = (6...8).map { link.objectAnswered(ask($0), .stored, at: time(4), using: &generator).count }
    #expect(named == [2, 2, 2])
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
