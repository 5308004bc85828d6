import ZoneKitRecords
import ZoneKitSync
import Testing

/// Why a device shows something else than the cloud, as a pure function of what both hold.
struct DiagnosisReasonTests {
  private static let edited = WallTime(milliseconds: 1_000_000)
  private static let changed = WallTime(milliseconds: 2_000_000)
  private static let now = WallTime(milliseconds: 9_000_000)
  private static let recordID = RecordID(recordName: "R", zoneID: ZoneID(zoneName: "Z"))

  private static func content(_ text: String) -> RecordContent {
    var fields = Fields()
    fields["text"] = .string(text)
    return RecordContent(fields: EncodedFields(fields))
  }

  private static func version(_ text: String, tag: String, at: WallTime = changed) -> ServerVersion {
    ServerVersion(
      content: content(text), changeTag: ChangeTag(tag),
      modified: Authorship(at: at, author: Author(userRecordName: "_u", deviceID: "d")))
  }

  private static let cloud = CloudSighting.saved(version("new", tag: "2"))

  /// A device that is signed in, subscribed, running and fetched an hour before the change.
  private static func device(
    _ record: LocalRecord?, _ values: [DeviceKey: DeviceValue] = [:], isStale: Bool = false, isRunning: Bool = true
  ) -> DeviceSighting {
    let usual: [DeviceKey: DeviceValue] = [
      .account: .text("nanny"), .subscriptionState: .text("active"), .fetchLastResult: .text("ok"),
      .fetchLastSucceededAt: .integer(changed.milliseconds - 1_000),
    ]
    return DeviceSighting(
      record: record, zone: ZoneState(zoneID: recordID.zoneID, isStale: isStale),
      values: usual.merging(values) { $1 }, isRunning: isRunning)
  }

  private static func synced(_ version: ServerVersion) -> LocalRecord {
    LocalRecord(recordID: recordID, recordType: "T", local: version.content, server: version)
  }

  /// A record as it was before the cloud changed.
  private static let old = synced(version("old", tag: "1", at: edited))

  private static func pending(
    _ local: RecordContent?, from server: ServerVersion?, sent: SentVersion? = nil, quarantine: Quarantine? = nil
  ) -> LocalRecord {
    LocalRecord(
      recordID: recordID, recordType: "T", local: local, server: server, revision: 1, pendingSince: edited, sent: sent,
      quarantine: quarantine)
  }

  private static func reason(
    _ device: DeviceSighting, _ cloud: CloudSighting = DiagnosisReasonTests.cloud
  ) -> DifferenceReason? {
    DifferenceReason(of: device, cloud: cloud, now: now)
  }

  // MARK: What happened

  @Test func `a device that shows the cloud's version has no reason, independent of its other values`() {
    let seen = Self.synced(Self.version("new", tag: "2"))
    #expect(Self.reason(Self.device(seen)) == nil)
    #expect(Self.reason(Self.device(Self.pending(Self.content("new"), from: nil))) == nil)
    for cloud in [CloudSighting.unknown, .noZone, .deleted(at: Self.changed), .zoneDeleted(at: Self.changed)] {
      #expect(Self.reason(Self.device(nil), cloud) == nil)
      #expect(Self.reason(Self.device(Self.pending(nil, from: Self.version("old", tag: "1"))), cloud) == nil)
    }
  }

  @Test func `an edit is reported as held back, sent or not sent, with the change that the device has not seen`() {
    let server = Self.version("new", tag: "2")
    let mine = Self.content("mine")
    let events: [(LocalRecord, DifferenceReason.Event)] = [
      (Self.pending(mine, from: server, quarantine: .refused("too big")), .quarantined("too big")),
      (Self.pending(mine, from: server, sent: .saved(mine)), .unanswered(since: Self.edited)),
      (Self.pending(nil, from: server, sent: .deleted), .unanswered(since: Self.edited)),
      (
        Self.pending(mine, from: server, sent: .saved(Self.content("earlier"))),
        .unsent(since: Self.edited, isDeletion: false, cloudChangedAt: nil)
      ),
      (Self.pending(mine, from: server), .unsent(since: Self.edited, isDeletion: false, cloudChangedAt: nil)),
      (Self.pending(nil, from: server), .unsent(since: Self.edited, isDeletion: true, cloudChangedAt: nil)),
      (
        Self.pending(mine, from: Self.version("old", tag: "1")),
        .unsent(since: Self.edited, isDeletion: false, cloudChangedAt: Self.changed)
      ),
      (
        Self.pending(mine, from: nil),
        .unsent(since: Self.edited, isDeletion: false, cloudChangedAt: Self.changed)
      ),
    ]
    for (record, event) in events { #expect(Self.reason(Self.device(record))?.event == event) }
  }

  @Test func `a new record that the cloud never saw is an edit without anything unseen`() {
    let record = Self.pending(Self.content("mine"), from: nil)
    let event = DifferenceReason.Event.unsent(since: Self.edited, isDeletion: false, cloudChangedAt: nil)
    #expect(Self.reason(Self.device(record), .unknown)?.event == event)
    #expect(Self.reason(Self.device(record), .noZone)?.event == event)
  }

  @Test func `what a device without edits has not seen is a change, a deletion, or a zone's deletion`() {
    let events: [(LocalRecord?, CloudSighting, DifferenceReason.Event)] = [
      (Self.old, Self.cloud, .unseen(changedAt: Self.changed, .saved)),
      (nil, Self.cloud, .unseen(changedAt: Self.changed, .saved)),
      (Self.old, .deleted(at: Self.changed), .unseen(changedAt: Self.changed, .deleted)),
      (Self.old, .zoneDeleted(at: Self.changed), .unseen(changedAt: Self.changed, .zoneDeleted)),
      (Self.old, .unknown, .forgotten), (Self.old, .noZone, .forgotten),
      (Self.synced(Self.version("other", tag: "2")), Self.cloud, .tampered(ChangeTag("2"))),
    ]
    for (record, cloud, event) in events { #expect(Self.reason(Self.device(record), cloud)?.event == event) }
  }

  // MARK: What keeps them apart

  @Test func `a push that did not come waits at the service, or the device has no socket or registration`() {
    let since = Self.changed.advanced(byMilliseconds: -100)
    let refused = DeviceDiagnostics.Socket(isConnected: false, since: since, reason: "connection refused")
    let connected = DeviceDiagnostics.Socket(isConnected: true, since: since)
    typealias Way = DeviceSighting.PushWay
    let ways: [(Way, Bool, DifferenceReason.Cause, String)] = [
      (
        Way(socket: refused, isRegistered: true, waiting: [Self.changed]), true, .pushWaits(refused, isRunning: true),
        "the push waits at the service: B is not connected since \(since.iso8601), connection refused"
      ),
      (
        Way(isRegistered: true, waiting: [Self.changed]), true, .pushWaits(nil, isRunning: true),
        "the push waits at the service: B is not connected"
      ),
      (
        Way(isRegistered: true, waiting: [Self.changed]), false, .pushWaits(nil, isRunning: false),
        "it is not running, and the push waits at the service"
      ),
      (
        Way(socket: refused, isRegistered: true, waiting: [since]), true, .noPushSocket(refused),
        "its push socket is not connected since \(since.iso8601), connection refused"
      ),
      (Way(socket: refused, isRegistered: true), false, .notRunning, "it is not running"),
      (
        Way(socket: connected, isRegistered: false), true, .notRegistered,
        "the push service has no registration of it, so no push comes"
      ), (Way(socket: connected, isRegistered: true), true, .pushLost(lastPushAt: nil), "the push was lost, none"),
      (Way(), true, .pushLost(lastPushAt: nil), "the push was lost, none"),
    ]
    for (way, isRunning, cause, words) in ways {
      var device = Self.device(Self.old, isRunning: isRunning)
      device.pushWay = way
      let reason = Self.reason(device)
      #expect(reason?.cause == cause)
      #expect(reason?.sentence(device: "B").contains(words) == true)
    }
  }

  @Test func `the cause of a change not seen is the first thing in the way of it`() {
    let after = DeviceValue.integer(Self.changed.milliseconds + 500)
    let before = DeviceValue.integer(Self.changed.milliseconds - 500)
    let causes: [([DeviceKey: DeviceValue], DifferenceReason.Cause)] = [
      ([.fetchLastResult: .text("notAuthenticated")], .signedOut),
      ([.fetchLastResult: .text("networkUnavailable")], .offline(.networkUnavailable)),
      ([.fetchLastResult: .text("networkFailure: no route")], .offline(.networkFailure)),
      ([.fetchLastResult: .text("zoneBusy")], .failing(.zoneBusy)),
      ([.retryAfter: .integer(Self.now.milliseconds + 1)], .askedToWait(until: Self.now.advanced(byMilliseconds: 1))),
      ([.retryAfter: .integer(Self.now.milliseconds)], .pushLost(lastPushAt: nil)),
      ([.fetchLastSucceededAt: after], .fetchedSince(Self.changed.advanced(byMilliseconds: 500))),
      ([.fetchLastSucceededAt: after, .fetchLastStartedAt: before], .pushLost(lastPushAt: nil)),
      ([.pushLastReceivedAt: after], .pushUnhandled(receivedAt: Self.changed.advanced(byMilliseconds: 500))),
      (
        [.subscriptionState: .text("failed"), .subscriptionError: .text("full")],
        .notSubscribed(.failed, error: "full")
      ),
      ([.pushDrought: .integer(1)], .drought(lastPushAt: nil)),
      ([.pushDrought: .integer(0)], .pushLost(lastPushAt: nil)),
      ([.pushLastReceivedAt: before], .pushLost(lastPushAt: Self.changed.advanced(byMilliseconds: -500))),
    ]
    for (values, cause) in causes { #expect(Self.reason(Self.device(Self.old, values))?.cause == cause) }
  }

  @Test func `a device without an account is signed out, and one that never fetched has just begun`() {
    var signedOut = Self.device(Self.old)
    signedOut.values[.account] = nil
    #expect(Self.reason(signedOut)?.cause == .signedOut)
    var new = Self.device(nil)
    new.values[.fetchLastSucceededAt] = nil
    #expect(Self.reason(new)?.cause == .neverFetched)
    new.isRunning = false
    #expect(Self.reason(new)?.cause == .notRunning)
  }

  @Test func `a zone that is being read, and a device that does not run, are causes of their own`() {
    #expect(Self.reason(Self.device(Self.old, isStale: true))?.cause == .zoneUnfinished)
    #expect(Self.reason(Self.device(Self.old, isRunning: false))?.cause == .notRunning)
  }

  @Test func `what a stopped device met before it ended is no cause`() {
    let mine = Self.pending(Self.content("mine"), from: Self.version("new", tag: "2"))
    let after = DeviceValue.integer(Self.changed.milliseconds + 500)
    let values: [[DeviceKey: DeviceValue]] = [
      [.fetchLastResult: .text("serviceUnavailable: busy")], [.fetchLastResult: .text("networkFailure")],
      [.retryAfter: .integer(Self.now.milliseconds + 1)], [.pushLastReceivedAt: after],
    ]
    for record in [Self.old, mine] {
      for value in values {
        #expect(Self.reason(Self.device(record, value, isRunning: false))?.cause == .notRunning)
      }
      #expect(Self.reason(Self.device(record, isStale: true, isRunning: false))?.cause == .notRunning)
    }
  }

  @Test func `a device that says it is offline is offline, unless its push waits at the service`() {
    let mine = Self.pending(Self.content("mine"), from: Self.version("new", tag: "2"))
    for record in [Self.old, mine] {
      for announcement in [DeviceSighting.Announcement.subscription, .channel, .none] {
        var device = Self.device(record, [.fetchLastResult: .text("networkUnavailable")])
        device.announcement = announcement
        device.pushWay = DeviceSighting.PushWay()
        device.pushWay?.isOffline = true
        #expect(Self.reason(device)?.cause == .noLink)
        #expect(Self.reason(device)?.sentence(device: "B").hasSuffix(": it is offline") == true)
      }
    }
    var device = Self.device(Self.old, [.fetchLastResult: .text("networkUnavailable")])
    device.pushWay = DeviceSighting.PushWay(isRegistered: true, waiting: [Self.changed])
    device.pushWay?.isOffline = true
    #expect(Self.reason(device)?.cause == .pushWaits(nil, isRunning: true))
  }

  @Test func `a push or event that a fault dropped after the change is named with its time`() {
    var device = Self.device(Self.old)
    device.pushWay = DeviceSighting.PushWay(isRegistered: true)
    device.pushWay?.dropped = [Self.changed.advanced(byMilliseconds: -1)]
    #expect(Self.reason(device)?.cause == .pushLost(lastPushAt: nil))
    let at = Self.changed.advanced(byMilliseconds: 4)
    device.pushWay?.dropped.append(at)
    #expect(Self.reason(device)?.cause == .pushDropped(at: at, isEvent: false))
    #expect(
      Self.reason(device)?.sentence(device: "B").hasSuffix(": the push of 00:33:20 was dropped by the fault plan")
        == true)
    device.announcement = .channel
    #expect(Self.reason(device)?.cause == .pushDropped(at: at, isEvent: true))
    device.announcement = .none
    #expect(Self.reason(device)?.cause == .notAnnounced)
  }

  @Test func `a push that a fault holds back is under way, and so is an event`() {
    var device = Self.device(Self.old)
    device.pushWay = DeviceSighting.PushWay(isRegistered: true)
    device.pushWay?.held = [Self.changed.advanced(byMilliseconds: -1)]
    #expect(Self.reason(device)?.cause == .pushLost(lastPushAt: nil))
    device.pushWay?.held.append(Self.changed)
    #expect(Self.reason(device)?.cause == .pushHeld(isEvent: false))
    #expect(Self.reason(device)?.sentence(device: "B").contains("the push is under way") == true)
    device.announcement = .channel
    #expect(Self.reason(device)?.cause == .pushHeld(isEvent: true))
    #expect(Self.reason(device)?.sentence(device: "B").contains("the event of its channel is under way") == true)
  }

  @Test func `no push is made for a subscription that is not there or makes no silent pushes`() {
    let silent = Subscription(subscriptionID: "s", kind: .database, notificationInfo: .silent)
    var (mute, other) = (silent, silent)
    mute.notificationInfo?.shouldSendContentAvailable = false
    other.subscriptionID = "t"
    for (subscriptions, cause) in [
      ([silent], DifferenceReason.Cause.pushLost(lastPushAt: nil)), ([mute], .subscriptionMute("s")),
      ([other], .subscriptionMissing("s")),
    ] {
      var device = Self.device(Self.old, [.subscriptionID: .text("s")])
      device.pushWay = DeviceSighting.PushWay(isRegistered: true)
      device.pushWay?.subscription = DeviceSighting.PushWay.Subscription("s", among: subscriptions)
      #expect(Self.reason(device)?.cause == cause)
    }
  }

  @Test func `a push that the device ignored is not called unhandled`() {
    let receivedAt = Self.changed.advanced(byMilliseconds: 500)
    for reason in IgnoredPush.allCases {
      let device = Self.device(
        Self.old,
        [.pushLastReceivedAt: .integer(receivedAt.milliseconds), .pushLastIgnored: .text(reason.rawValue)])
      #expect(Self.reason(device)?.cause == .pushIgnored(receivedAt: receivedAt, reason))
      #expect(Self.reason(device)?.sentence(device: "B").contains("was ignored, because \(reason.text)") == true)
    }
  }

  @Test func `versions are compared by the time of the commit where a protocol has change tags of its own`() {
    let seen = Self.version("new", tag: "other", at: Self.changed)
    var device = Self.device(Self.pending(Self.content("mine"), from: seen))
    let unseen = DifferenceReason.Event.unsent(since: Self.edited, isDeletion: false, cloudChangedAt: Self.changed)
    #expect(Self.reason(device)?.event == unseen)
    device.versionMark = .commitTime
    let event = DifferenceReason.Event.unsent(since: Self.edited, isDeletion: false, cloudChangedAt: nil)
    #expect(Self.reason(device)?.event == event)
    device.record = Self.pending(Self.content("mine"), from: Self.version("old", tag: "2", at: Self.edited))
    #expect(Self.reason(device)?.event == unseen)
  }

  @Test func `an edit waits for the network, the cloud's word, space, or the device itself`() {
    let record = Self.pending(Self.content("mine"), from: Self.version("new", tag: "2"))
    #expect(Self.reason(Self.device(record))?.cause == nil)
    #expect(Self.reason(Self.device(record, isRunning: false))?.cause == .notRunning)
    let full = Self.device(record, [.quotaExceededAt: .integer(5)])
    #expect(Self.reason(full)?.cause == .quotaExceeded(since: WallTime(milliseconds: 5)))
    let failing = Self.device(record, [.fetchLastResult: .text("networkFailure")])
    #expect(Self.reason(failing)?.cause == .offline(.networkFailure))
  }

  @Test func `a device's times are compared by the cloud's clock`() {
    // The device's clock is an hour slow: its fetch seems to come before the change and came after it.
    let slow = Self.device(
      Self.old,
      [.clockOffset: .integer(3_600_000), .fetchLastSucceededAt: .integer(Self.changed.milliseconds - 3_599_999)])
    #expect(Self.reason(slow)?.cause == .fetchedSince(Self.changed.advanced(byMilliseconds: 1)))
    #expect(Self.reason(slow)?.lastFetchAt == Self.changed.advanced(byMilliseconds: 1))
  }

  // MARK: Words

  @Test func `a sentence names the device, what happened, when, and the cause`() {
    let lost = Self.reason(Self.device(Self.old))?.sentence(device: "B")
    #expect(
      lost == "B has not seen that the cloud changed it at 1970-01-01T00:33:20.000Z, its last fetch was at "
        + "1970-01-01T00:33:19.000Z: the push was lost, none ever came")
    let kept = Self.pending(Self.content("mine"), from: nil, quarantine: .refused("too big"))
    #expect(
      Self.reason(Self.device(kept))?.sentence(device: "A") == "A keeps its version back, in quarantine: too big")
    let blind = Self.pending(nil, from: Self.version("old", tag: "1"))
    #expect(
      Self.reason(Self.device(blind))?.sentence(device: "A") == "A deleted it at 1970-01-01T00:16:40.000Z and has not "
        + "sent that yet, nor seen that the cloud changed it at 1970-01-01T00:33:20.000Z")
  }

  // MARK: Channels

  @Test func `a device with a channel lacks an event, and no subscription`() throws {
    var device = Self.device(Self.old, [.subscriptionState: .text("unknown")])
    device.announcement = .channel
    #expect(Self.reason(device)?.cause == .eventLost(lastEventAt: nil))
    device.values[.pushLastReceivedAt] = .integer(Self.edited.milliseconds)
    #expect(Self.reason(device)?.cause == .eventLost(lastEventAt: Self.edited))
    #expect(
      try #require(Self.reason(device)).sentence(device: "B").hasSuffix("the last one came at \(Self.edited.iso8601)"))
    device.values[.pushLastReceivedAt] = .integer(Self.changed.milliseconds + 1)
    #expect(Self.reason(device)?.cause == .pushUnhandled(receivedAt: Self.changed.advanced(byMilliseconds: 1)))
    device.isRunning = false
    device.values[.pushLastReceivedAt] = nil
    #expect(Self.reason(device)?.cause == .notRunning)
  }

  @Test func `a change that nothing announces waits for the next fetch`() {
    var device = Self.device(Self.old, [.pushLastReceivedAt: .integer(Self.changed.milliseconds + 1)])
    device.announcement = .none
    #expect(Self.reason(device)?.cause == .notAnnounced)
    device.isRunning = false
    #expect(Self.reason(device)?.cause == .notRunning)
  }

  @Test func `an app without a subscription names the types that its channel announces`() {
    var configuration = CoordinatorConfiguration(mergePolicy: Sample.configuration.merging.policy, stampField: "stamp")
    #expect(configuration.announcement(of: "T") == .subscription)
    (configuration.pushes.subscriptionID, configuration.traits.announcedTypes) = (nil, ["T"])
    #expect(configuration.announcement(of: "T") == .channel)
    #expect(configuration.announcement(of: "Other") == .none)
    #expect(configuration.announcement(of: nil) == .none)
  }
}
