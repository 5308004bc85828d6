import Testing
import ZoneKitRecords
import ZoneKitSimulator
import ZoneKitSync

/// Checkers of what a device has to do by itself, and by when.
struct ObligationCheckerTests {
  private func failure(retryIn wait: Int64, after: Int64? = nil) -> LogEvent {
    .fact(.syncFailed([.push], CloudError(.networkFailure, "no", retryAfterMilliseconds: after), retryIn: wait))
  }

  // MARK: Back-off

  @Test func `back-off doubles with each failure in a row`() {
    let configuration = Sample.configuration { ($0.pacing.backoffFirst, $0.pacing.backoffLimit) = (2_000, 120_000) }
    var log = LogFeed(BackoffChecker(configuration))
    log.start()
    #expect(log.add(failure(retryIn: 2_001)) == .retry)
    log.add(.fact(.syncFinished([.push], records: 0, pages: 0)))
    #expect(log.add(failure(retryIn: 1_000)) == nil)
    #expect(log.add(failure(retryIn: 1_999)) == .retry)
    #expect(log.add(failure(retryIn: 8_000)) == nil)
    // The cloud may ask for more.
    #expect(log.add(failure(retryIn: 500_000, after: 500_000)) == nil)
  }

  @Test func `something is due when a sync that failed is to be tried again`() {
    var log = LogFeed(BackoffChecker(Sample.configuration()))
    log.start()
    log.add(failure(retryIn: 2_000))
    log.device.nextDeadline = log.now.advanced(byMilliseconds: 2_000)
    #expect(log.add(.settled) == nil)
    log.device.nextDeadline = log.now.advanced(byMilliseconds: 2_001)
    #expect(log.add(.settled) == .retry)
    log.device.isOnline = false
    #expect(log.add(.settled) == nil)
    log.device.isOnline = true
    log.begin([.retry])
    #expect(log.add(.settled) == nil)
  }

  @Test func `a store that fails begins the back-off anew`() {
    var log = LogFeed(BackoffChecker(Sample.configuration { $0.pacing.backoffLimit = 120_000 }))
    log.start()
    log.add(failure(retryIn: 2_000))
    log.add(.fact(.storeFailed(StoreError(.full, "no", place: "memory"))))
    log.device.nextDeadline = log.now.advanced(byMilliseconds: 120_000)
    #expect(log.add(.settled) == nil)
    log.device.nextDeadline = log.now.advanced(byMilliseconds: 120_001)
    #expect(log.add(.settled) == .retry)
  }

  // MARK: Looks at the feeds

  private func feedReads() -> LogFeed<FeedReadChecker> {
    var log = LogFeed(FeedReadChecker(Sample.configuration { $0.pacing.quietLimit = 2_000 }))
    log.start()
    return log
  }

  @Test func `a push leads to a look at the feeds in time`() {
    var log = feedReads()
    log.add(.fact(.pushReceived(notificationID: "n1")))
    log.device.nextDeadline = log.now.advanced(byMilliseconds: 2_000)
    #expect(log.add(.settled) == nil)
    log.device.nextDeadline = log.now.advanced(byMilliseconds: 2_001)
    #expect(log.add(.settled) == .requestMissing)
    log.device.nextDeadline = nil
    #expect(log.add(.settled) == .requestMissing)
    log.begin([.localChange])
    log.finish([.localChange])
    #expect(log.add(.settled) == .requestMissing)
    log.begin([.push])
    log.finish([.push])
    #expect(log.add(.settled) == nil)
  }

  @Test func `a user's wish and a new link lead to a look at the feeds`() {
    for event in [LogEvent.syncWanted, .fact(.linkChanged(isOnline: true))] {
      var log = feedReads()
      #expect(log.add(.settled) == nil)
      log.add(event)
      #expect(log.add(.settled) == .requestMissing)
    }
  }

  @Test func `what excuses a device is the same for all obligations`() {
    let excuses: [(inout LogFeed<FeedReadChecker>) -> Void] = [
      { $0.device.isOnline = false }, { $0.device.isComputing = false }, { $0.device.account = nil },
      { $0.device.isSyncing = true }, { $0.add(.fact(.signedOut(nil))) },
      {
        $0.add(.fact(.storeFailed(StoreError(.failed, "no", place: "memory"))));
        $0.device.nextDeadline = $0.now.advanced(byMilliseconds: 86_400_000)
      },
    ]
    for excuse in excuses {
      var log = feedReads()
      log.add(.syncWanted)
      #expect(log.add(.settled) == .requestMissing)
      excuse(&log)
      #expect(log.add(.settled) == nil)
    }
  }

  @Test func `a back-off excuses a device as long as it lasts`() {
    var log = feedReads()
    log.add(.syncWanted)
    log.add(failure(retryIn: 60_000))
    log.device.nextDeadline = log.now.advanced(byMilliseconds: 60_000)
    #expect(log.add(.settled) == nil)
    log.device.nextDeadline = log.now.advanced(byMilliseconds: 60_001)
    #expect(log.add(.settled) == .requestMissing)
  }

  // MARK: Subscriptions and push tokens

  @Test func `the feeds are read once a new subscription is active`() {
    var log = LogFeed(SettlingChecker(Sample.configuration { $0.pushes.settling = 5_000 }))
    log.start()
    log.add(.fact(.subscriptionChecked(.found)))
    #expect(log.add(.settled) == nil)
    log.add(.fact(.subscriptionChecked(.created)))
    #expect(log.add(.settled) == .requestMissing)
    log.device.nextDeadline = log.now.advanced(byMilliseconds: 5_000)
    #expect(log.add(.settled) == nil)
    // A sync that begins before the subscription is active does not see all.
    log.device.nextDeadline = nil
    log.begin([.push])
    #expect(log.add(.settled) == .requestMissing)
    log.wait(5_000)
    log.begin([.subscription])
    #expect(log.add(.settled) == nil)
  }

  @Test func `the feeds are read once a new push token is active`() {
    var log = LogFeed(SettlingChecker(Sample.configuration()))
    log.start()
    log.add(.fact(.pushTokenRegistered("old")))
    #expect(log.add(.settled) == nil)
    log.send(.createPushToken(environment: .development))
    log.answer(.pushToken(environment: .development, token: "new"))
    #expect(log.add(.settled) == nil)
    log.add(.fact(.pushTokenRegistered("new")))
    #expect(log.add(.settled) == .requestMissing)
  }

  @Test func `after its store failed a device may count from the registration that follows`() {
    var log = LogFeed(SettlingChecker(Sample.configuration { $0.pushes.settling = 5_000 }))
    log.start()
    log.add(.fact(.subscriptionChecked(.created)))
    log.add(.fact(.storeFailed(StoreError(.failed, "full", place: "memory"))))
    log.begin([.push])
    _ = log.finish([.push])
    log.device.nextDeadline = log.now.advanced(byMilliseconds: 6_000)
    #expect(log.add(.settled) == .requestMissing)
    log.wait(1_000)
    log.add(.fact(.pushTokenRegistered("old")))
    #expect(log.add(.settled) == nil)
    log.wait(1_000)
    log.add(.fact(.pushTokenRegistered("old")))
    log.device.nextDeadline = log.now.advanced(byMilliseconds: 5_000)
    #expect(log.add(.settled) == .requestMissing)
  }

  @Test func `what was refused of the subscription is tried again after the interval`() {
    var log = LogFeed(SubscriptionRetryChecker(Sample.configuration { $0.pushes.retry = 1_000 }))
    log.start()
    log.begin([.launch])
    log.add(.fact(.subscriptionFailed(CloudError(.permissionFailure, "no"))))
    #expect(log.finish([.launch]) == nil)
    log.wait(1_000)
    log.begin([.push])
    #expect(log.finish([.push]) == .requestMissing)
    log.begin([.push])
    log.add(.fact(.subscriptionChecked(.found)))
    #expect(log.finish([.push]) == nil)
  }

  @Test func `a push token that was refused is asked for again after the interval, or when the user asks`() {
    let request = CloudRequest.createPushToken(environment: .development)
    var log = LogFeed(SubscriptionRetryChecker(Sample.configuration { $0.pushes.retry = 1_000 }))
    log.start()
    log.begin([.launch])
    #expect(log.send(request) == nil)
    log.add(.fact(.pushTokenFailed(CloudError(.permissionFailure, "no"))))
    #expect(log.send(request) == .retry)
    log.wait(10)
    log.begin([.manual])
    #expect(log.send(request) == nil)
    log.wait(10)
    log.begin([.push])
    #expect(log.send(request) == .retry)
    log.wait(1_000)
    log.begin([.push])
    #expect(log.send(request) == nil)
  }

  @Test func `a device with a new device ID asks for a push token at once, also after a refusal`() {
    let request = CloudRequest.createPushToken(environment: .development)
    var log = LogFeed(SubscriptionRetryChecker(Sample.configuration { $0.pushes.retry = 1_000 }))
    log.start()
    log.begin([.launch])
    log.send(request)
    log.add(.fact(.pushTokenFailed(CloudError(.permissionFailure, "no"))))
    log.add(.fact(.cloneDetected(nil, newDeviceID: "device-b")))
    #expect(log.send(request) == nil)
  }

  @Test func `a sync that is not for edits alone asks the database's feed and registers a push token`() {
    var log = LogFeed(SyncContentChecker(Sample.configuration()))
    log.start()
    log.device.pushToken = "token"
    log.begin([.localChange])
    #expect(log.finish([.localChange]) == nil)
    log.begin([.push])
    #expect(log.finish([.push]) == .requestMissing)
    log.begin([.push])
    log.send(Sample.databaseFetch)
    #expect(log.finish([.push]) == nil)
    log.device.pushToken = nil
    log.begin([.push])
    log.send(Sample.databaseFetch)
    #expect(log.finish([.push]) == .requestMissing)
    log.begin([.push])
    log.send(Sample.databaseFetch)
    log.add(.fact(.pushTokenFailed(CloudError(.permissionFailure, "no"))))
    #expect(log.finish([.push]) == nil)
  }

  @Test func `a record that waits has a time at which it is sent`() throws {
    var log = LogFeed(UnsentRecordChecker(Sample.configuration()))
    log.start()
    #expect(log.add(.settled) == nil)
    try log.keep(Sample.waiting(Sample.content("a")))
    #expect(log.add(.settled) == .requestMissing)
    log.device.nextDeadline = log.now.advanced(byMilliseconds: 120_000)
    #expect(log.add(.settled) == nil)
    log.device.nextDeadline = log.now.advanced(byMilliseconds: 3_600_000)
    #expect(log.add(.settled) == .requestMissing)
    // The cloud is full.
    try log.keep(.quotaExceededAt, .integer(1))
    #expect(log.add(.settled) == nil)
    log.device.nextDeadline = log.now.advanced(byMilliseconds: 86_400_000)
    #expect(log.add(.settled) == .requestMissing)
    // The cloud has room again, also if the device still remembers a full one, unless its disk failed.
    log.device.nextDeadline = log.now.advanced(byMilliseconds: 3_600_000)
    #expect(log.add(.settled) == nil)
    log.send(Sample.save("i2"))
    log.answer(.records([.record(Sample.record("i2"))]))
    #expect(log.add(.settled) == .requestMissing)
    log.add(.storeFailed)
    #expect(log.add(.settled) == nil)
  }
}
