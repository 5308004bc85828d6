import ZoneKitRecords
import Testing
import ZoneKitWire

@Suite struct PushLineTests {
  private static func notification(_ change: (inout PushNotification) -> Void) -> PushNotification {
    var notification = PushNotification(subject: .database, notificationID: "N1")
    notification.container = "iCloud.x"
    notification.userRecordName = "_user01"
    notification.subscriptionID = "all"
    notification.scope = .private
    notification.zoneID = ZoneID(zoneName: "Log", owner: .user("_user01"))
    change(&notification)
    return notification
  }

  @Test(arguments: [
    (PushLine.welcome(device: "A", stored: 1), #"{"welcome":{"device":"A","stored":1}}"#),
    (.welcome(device: nil, stored: 0), #"{"welcome":{"stored":0}}"#),
    (.error(reason: "BadDeviceToken", message: nil), #"{"error":{"reason":"BadDeviceToken"}}"#),
    (.error(reason: "Forbidden", message: "no"), #"{"error":{"reason":"Forbidden","message":"no"}}"#),
    (
      .notification(notification { _ in }),
      #"{"aps":{"content-available":1},"ck":{"ce":2,"cid":"iCloud.x","ckuserid":"_user01","nid":"N1","#
        + #""met":{"sid":"all","dbs":1,"zid":"Log","zoid":"_user01"}}}"#
    ),
    (
      .notification(
        notification {
          $0.subject = .zone
          $0.scope = .shared
          $0.isPruned = true
          $0.committedAt = WallTime(milliseconds: 5)
          $0.sentAt = WallTime(milliseconds: -6)
        }),
      #"{"aps":{"content-available":1},"ck":{"ce":2,"cid":"iCloud.x","ckuserid":"_user01","nid":"N1","p":1,"#
        + #""aux":{"committedAt":5,"sentAt":-6},"fet":{"sid":"all","dbs":3,"zid":"Log","zoid":"_user01"}}}"#
    ),
    (
      .notification(
        PushNotification(info: NotificationInfo(alertBody: "Milk \"now\"", shouldBadge: true))),
      #"{"aps":{"alert":"Milk \"now\"","badge":1},"ck":{"ce":2}}"#
    ),
  ])
  func `a line is written and read`(line: PushLine, text: String) throws {
    #expect(String(decoding: line.line, as: UTF8.self) == text + "\n")
    #expect(try PushLine(line: ArraySlice(text.utf8)) == line)
  }

  @Test func `an alert with more than a body is an object`() throws {
    var info = NotificationInfo(alertBody: "body")
    info.alertLocalizationKey = "KEY"
    info.alertLocalizationArgs = ["a", "b"]
    info.alertActionLocalizationKey = "ACT"
    info.alertLaunchImage = "img"
    info.soundName = "default"
    info.category = "cat"
    let line = PushLine.notification(PushNotification(info: info))
    let text =
      #"{"aps":{"alert":{"body":"body","loc-key":"KEY","loc-args":["a","b"],"action-loc-key":"ACT","#
      + #""launch-image":"img"},"sound":"default","category":"cat"},"ck":{"ce":2}}"#
    #expect(String(decoding: line.line, as: UTF8.self) == text + "\n")
    #expect(try PushLine(line: ArraySlice(text.utf8)) == line)
  }

  @Test func `what is missing or has the wrong type counts as dropped, other keys are ignored`() throws {
    let text =
      #"{"aps":{"content-available":true,"alert":7,"badge":0},"ck":{"nid":5,"cid":null,"p":1,"new":{},"aux":{},"#
      + #""met":{"sid":"all","dbs":9,"zoid":"_u","more":1}},"x":1}"#
    var expected = PushNotification(subject: .database)
    expected.subscriptionID = "all"
    expected.isPruned = true
    #expect(try PushNotification(payload: ArraySlice(text.utf8)) == expected)
  }

  @Test(arguments: [#"{"aps":{}}"#, #"{"ck":{}}"#, #"{"aps":[],"ck":{}}"#])
  func `one object is enough for a payload`(text: String) throws {
    #expect(
      try PushNotification(payload: ArraySlice(text.utf8)) == PushNotification(info: NotificationInfo()))
  }

  @Test func `a query notification names its subscription, and the record with its change`() throws {
    let text =
      #"{"ck":{"nid":"N","qry":{"sid":"notes","rid":"n-1","zid":"Notes","zoid":"_u","dbs":2,"fo":2}}}"#
    let read = try PushNotification(payload: ArraySlice(text.utf8))
    #expect(read.subject == .query)
    #expect(read.subscriptionID == "notes")
    #expect(read.scope == .public)
    #expect(read.record == RecordNotice(.update, of: "n-1"))
  }

  @Test(arguments: ["{}", #"{"aps":1,"ck":[]}"#, #"{"welcome2":{}}"#])
  func `a payload without aps and ck is an error`(text: String) {
    #expect(throws: PushLineError(#"expected a push payload with an object "aps" or "ck", found neither"#)) {
      try PushNotification(payload: ArraySlice(text.utf8))
    }
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func `every notification is read as it was written`(number: UInt64) throws {
    var seed = PushSeed(number)
    let notification = seed.notification()
    let line = PushLine.notification(notification).line
    #expect(line.last == 0x0A && line.count { $0 == 0x0A } == 1)
    #expect(try PushLine(line: line.dropLast()) == .notification(notification))
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func `any bytes are a line or an error`(number: UInt64) {
    var seed = PushSeed(number)
    for _ in 0..<20 {
      var bytes = PushLine.notification(seed.notification()).line.dropLast()
      for _ in 0..<Int.random(in: 1...4, using: &seed) {
        bytes[Int.random(in: bytes.indices, using: &seed)] = UInt8.random(in: .min ... .max, using: &seed)
      }
      bytes = bytes.prefix(Int.random(in: 0...bytes.count, using: &seed))
      _ = try? PushLine(line: bytes)
      _ = try? PushHello(line: bytes)
    }
  }
}

/// Draws notifications.
private struct PushSeed: RandomNumberGenerator {
  private var generator: SplitMix64

  init(_ seed: UInt64) { generator = SplitMix64(seed: seed) }

  mutating func next() -> UInt64 { generator.next() }

  mutating func text() -> String? {
    guard Bool.random(using: &self) else { return nil }
    let scalars = ["a", "\"", "\\", "\n", "\u{0}", "é", "😀", "/", "}", "\u{7F}", "\u{2028}"]
    return (0..<Int.random(in: 0...5, using: &self)).map { _ in scalars.randomElement(using: &self) ?? "" }.joined()
  }

  mutating func time() -> WallTime? {
    Bool.random(using: &self) ? WallTime(milliseconds: Int64(truncatingIfNeeded: next())) : nil
  }

  mutating func notification() -> PushNotification {
    var notification = PushNotification(subject: [nil, .zone, .database].randomElement(using: &self) ?? nil)
    notification.notificationID = text()
    notification.container = text().map { Name($0) }
    notification.userRecordName = text().map { Name($0) }
    notification.isPruned = Bool.random(using: &self)
    notification.committedAt = time()
    notification.sentAt = time()
    if notification.subject != nil {
      notification.subscriptionID = text()
      notification.scope = DatabaseScope.allCases.randomElement(using: &self)
      notification.zoneID = text().map { ZoneID(zoneName: Name($0), owner: .user(Name($0 + "!"))) }
    }
    notification.info = NotificationInfo(
      alertBody: text(), shouldBadge: Bool.random(using: &self),
      shouldSendContentAvailable: Bool.random(using: &self))
    notification.info.alertLocalizationKey = text()
    notification.info.alertLocalizationArgs = text().map { [$0, "two"] } ?? []
    notification.info.alertActionLocalizationKey = text()
    notification.info.alertLaunchImage = text()
    notification.info.soundName = text()
    notification.info.category = text()
    return notification
  }
}
