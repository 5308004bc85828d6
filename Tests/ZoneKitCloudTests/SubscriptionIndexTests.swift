import ZoneKitRecords
import Testing

@testable import ZoneKitCloud

@Suite struct `the index of subscriptions` {
  private let database = DatabaseID(container: "c", environment: .development, user: "u", scope: .private)
  private let saved = DatabaseTransition(
    savedSubscriptions: [Subscription(subscriptionID: "a", kind: .database, notificationInfo: nil)])

  private func time(_ milliseconds: Int64) -> WallTime { WallTime(milliseconds: milliseconds) }

  @Test func `keeps a new subscription from firing until the delay has passed`() {
    var index = SubscriptionIndex()
    index.take(saved, in: database, at: time(1000), delay: 50)
    #expect(!index.isActive("a", in: database, at: time(1049)))
    #expect(index.isActive("a", in: database, at: time(1050)))
    #expect(index.isActive("b", in: database, at: time(1000)))
    var other = database
    other.user = "v"
    #expect(index.isActive("a", in: other, at: time(1000)))
  }

  @Test func `begins the delay again with each save`() {
    var index = SubscriptionIndex()
    index.take(saved, in: database, at: time(1000), delay: 50)
    index.take(saved, in: database, at: time(1040), delay: 50)
    #expect(!index.isActive("a", in: database, at: time(1089)))
    #expect(index.isActive("a", in: database, at: time(1090)))
  }

  @Test func `knows nothing where there is no delay, and forgets what has passed`() {
    var index = SubscriptionIndex()
    index.take(saved, in: database, at: time(1000), delay: 0)
    #expect(index == SubscriptionIndex())
    index.take(saved, in: database, at: time(1000), delay: 50)
    index.take(DatabaseTransition(), in: database, at: time(1050), delay: 50)
    #expect(index == SubscriptionIndex())
  }
}
