import Testing
import ZoneKitRecords
import ZoneKitSimulator
import ZoneKitSync
import ZoneKitTables

/// Checkers of realtime channels and of what their events cause.
struct ChannelCheckerTests {
  // MARK: The channel

  private func reply(_ status: String, topic: String = "realtime:user-sync-1") -> ChannelFrame {
    ChannelFrame(joinRef: "1", ref: "1", topic: topic, event: "phx_reply", payload: ["status": .string(status)])
  }

  @Test func `a channel is shown as live after its service has joined it on the present socket`() {
    var log = LogFeed(ChannelChecker())
    #expect(log.add(.channelShown("live")) == .diagnostics)
    #expect(log.add(.socketOpened(isSecond: false)) == nil)
    for frame in [reply("error"), reply("ok", topic: ChannelFrame.socketTopic)] { log.add(.frame(frame)) }
    #expect(log.add(.channelShown("joining")) == nil)
    #expect(log.add(.channelShown("live")) == .diagnostics)
    log.add(.frame(reply("ok")))
    #expect(log.add(.channelShown("live")) == nil)
    #expect(log.add(.socketOpened(isSecond: false)) == nil)
    #expect(log.add(.channelShown("live")) == .diagnostics)
  }

  @Test func `a device has one socket at a time`() {
    var log = LogFeed(ChannelChecker())
    #expect(log.add(.socketOpened(isSecond: false)) == nil)
    #expect(log.add(.socketOpened(isSecond: true)) == .subscription)
  }

  // MARK: The pace of events

  private let hint = PushHint(types: ["expenses"], quiet: 300, limit: 1_000)

  private func pushes() -> LogFeed<PushPaceChecker> {
    var log = LogFeed(PushPaceChecker(Sample.configuration { $0.traits.announcedTypes = ["expenses"] }))
    log.start()
    return log
  }

  private func event(_ id: String, stamp: Int64 = 1, _ hint: PushHint?) -> [LogEvent] {
    var push = PushNotification(subject: .zone, notificationID: id)
    push.committedAt = WallTime(milliseconds: stamp)
    return [.fact(.pushReceived(notificationID: id)), .pushHanded(push, hint: hint, countBefore: 0)]
  }

  @Test func `an event causes a sync when its quiet time is over`() {
    var log = pushes()
    log.add(event("expenses/1", hint))
    log.device.nextDeadline = log.now.advanced(byMilliseconds: 300)
    #expect(log.add(.settled) == nil)
    log.device.nextDeadline = log.now.advanced(byMilliseconds: 301)
    #expect(log.add(.settled) == .requestMissing)
  }

  @Test func `a sync before the end of the quiet time does not count`() {
    var log = pushes()
    log.add(event("expenses/1", hint))
    log.wait(299)
    log.begin([.localChange, .push])
    log.finish([.localChange, .push])
    #expect(log.add(.settled) == .requestMissing)
    log.wait(1)
    log.begin([.localChange])
    log.finish([.localChange])
    #expect(log.add(.settled) == .requestMissing)
    log.begin([.push])
    log.finish([.push])
    #expect(log.add(.settled) == nil)
  }

  @Test func `further events delay the sync up to the limit`() {
    var log = pushes()
    for number in 1...5 {
      log.add(event("expenses/\(number)", hint))
      log.device.nextDeadline = log.now.advanced(byMilliseconds: 300)
      #expect(log.add(.settled) == (number == 5 ? .requestMissing : nil))
      log.wait(200)
    }
  }

  @Test func `pushes wait on through a reset, and nothing is due before the next fetch`() {
    var log = pushes()
    log.add(event("expenses/1", hint))
    log.add(.fact(.reset(.tokens, discarded: 0)))
    log.wait(900)
    log.add(event("expenses/2", hint))
    #expect(log.add(.settled) == nil)
    log.wait(100)
    // The limit of the first push ends here.
    log.begin([.push, .reset])
    log.finish([.push, .reset])
    #expect(log.add(.settled) == nil)
    log.add(event("expenses/3", hint))
    #expect(log.add(.settled) == .requestMissing)
  }

  @Test func `a push that begins a sync waits on unless it was due at once`() {
    var log = pushes()
    let (received, handed) = (event("expenses/1", hint)[0], event("expenses/1", hint)[1])
    log.add(received)
    log.begin([.localChange])
    log.add(handed)
    log.wait(1_000)
    log.add(received)
    log.begin([.push])
    log.add(handed)
    log.finish([.push])
    #expect(log.add(.settled) == nil)
    log.add(received)
    log.begin([.foreground])
    log.add(handed)
    log.finish([.foreground])
    #expect(log.add(.settled) == .requestMissing)
  }

  @Test func `nothing is due after a push whose pace is not known`() {
    var log = pushes()
    log.add(event("expenses/1", hint)[0])
    log.add(event("expenses/2", hint))
    #expect(log.add(.settled) == nil)
    log.begin([.push])
    log.finish([.push])
    log.add(event("expenses/3", hint))
    #expect(log.add(.settled) == .requestMissing)
  }

  @Test func `a push without a pace of its own and one that is known already want nothing here`() {
    var log = pushes()
    log.add(event("n1", nil))
    #expect(log.add(.settled) == nil)
    log.begin([.push])
    log.finish([.push])
    log.add(event("expenses/1", hint)[1])
    #expect(log.add(.settled) == nil)
  }

  // MARK: Events of known versions

  private func page(_ type: Name, modifiedAt stamp: Int64) -> CloudResponse {
    let author = Authorship(at: WallTime(milliseconds: stamp), author: Author(userRecordName: "_u", deviceID: "b"))
    let record = Record(
      recordName: Name("\(type)/1"), recordType: type, fields: EncodedFields(Fields()), changeTag: ChangeTag("1"),
      created: author, modified: author)
    let page = RecordPage([.saved(record)])
    return .zoneChanges([
      .changes(ZoneChanges(zoneID: Sample.zone, page: page, token: ChangeToken("t"), moreComing: false))
    ])
  }

  @Test func `an event about a version that was fetched is no news`() {
    var log = LogFeed(KnownVersionChecker())
    log.start()
    log.begin([.push])
    log.send(Sample.zoneFetch)
    log.answer(page("expenses", modifiedAt: 10))
    #expect(log.add(event("expenses/1@10", stamp: 10, hint)) == [.repeatedPush])
    #expect(log.add(event("expenses/1@11", stamp: 11, hint)).isEmpty)
    #expect(log.add(event("persons/1@10", stamp: 10, hint)).isEmpty)
    // The removal of a row names no types.
    #expect(log.add(event("expenses/1@9", stamp: 9, PushHint(quiet: 1_000, limit: 3_000))).isEmpty)
    log.add(.resetting)
    #expect(log.add(event("expenses/1@10", stamp: 10, hint)).isEmpty)
  }
}
