import ZoneKitPush
import ZoneKitRecords

typealias Effect = PushGateway.Effect
typealias ConnectionID = PushGateway.ConnectionID
typealias Account = PushGateway.Account

let nanny = Account(container: "iCloud.test", environment: .development, user: "nanny")
let log = ZoneID(zoneName: "Log")
let silent = Subscription(subscriptionID: "all", kind: .database, notificationInfo: .silent)

func moment(_ milliseconds: Int64) -> Moment {
  Moment(wall: WallTime(milliseconds: 1000 + milliseconds), monotonic: MonotonicTime(milliseconds: milliseconds))
}

func notice(
  _ id: String, in account: Account = nanny, zone: ZoneID = log, by origin: String? = nil,
  for subscriptions: [Subscription] = [silent]
) -> Notice {
  Notice(
    database: DatabaseID(
      container: account.container, environment: account.environment, user: account.user, scope: .private),
    zoneID: zone, notificationID: id, originDeviceID: origin, committedAt: WallTime(milliseconds: 7),
    subscriptions: subscriptions)
}

/// What `notice` becomes for the silent database subscription when it is sent at that time.
func notification(
  _ id: String, by origin: String? = nil, subscription: String = "all", zone: Name = "Log", at time: Int64
) -> PushNotification {
  var notification = PushNotification(subject: .database, notificationID: id)
  notification.container = nanny.container
  notification.userRecordName = UserRecordName.of(user: "nanny")
  notification.subscriptionID = subscription
  notification.scope = .private
  notification.zoneID = ZoneID(zoneName: zone, owner: .user(UserRecordName.of(user: "nanny")))
  notification.committedAt = WallTime(milliseconds: 7)
  notification.originDeviceID = origin
  notification.sentAt = moment(time).wall
  return notification
}

extension PushGateway {
  /// A service with the devices of those names registered for the nanny; a device's token is `t-` and its name.
  init(policy: Policy = Policy(), devices: [String], account: Account = nanny) {
    self.init(policy: policy)
    for device in devices { register(device, for: account) }
  }

  @discardableResult
  mutating func register(_ device: String, for account: Account = nanny) -> [Effect] {
    register(PushRegistration(token: "t-" + device, environment: .development, deviceID: device), for: account)
  }

  @discardableResult
  mutating func hello(_ device: String, on connection: UInt64, at time: Int64 = 0) -> [Effect] {
    hello(ConnectionID(connection), token: "t-" + device, device: device, at: moment(time))
  }

  /// One turn with those notices, in which every payload fits.
  @discardableResult
  mutating func turn(_ notices: [Notice], at time: Int64 = 0) -> [Effect] {
    var seed = SplitMix64(seed: 1)
    for notice in notices { notify(notice, using: &seed) }
    return endTurn(at: moment(time)) { _ in 100 }
  }
}

extension [PushGateway.Effect] {
  /// All but the facts.
  var actions: [Effect] {
    filter {
      switch $0 {
      case .welcome, .send, .close, .answerPoll, .refusePoll: true
      case .fact: false
      }
    }
  }

  /// What became of notifications: outcome, ID, devices.
  var outcomes: [Fate] {
    compactMap {
      guard case .fact(.handled(let handling)) = $0 else { return nil }
      return Fate(handling.outcome, handling.notificationID, handling.devices)
    }
  }
}

struct Fate: Equatable {
  var outcome: PushGateway.Outcome
  var notificationID: String?
  var devices: [String]

  init(_ outcome: PushGateway.Outcome, _ notificationID: String?, _ devices: [String]) {
    self.outcome = outcome
    self.notificationID = notificationID
    self.devices = devices
  }
}

extension PushGateway.Counters {
  /// All that was discarded, whatever the reason.
  var discardedInAll: Int { discardedByReason.reduce(0) { $0 + $1.count } }

  /// Whether every notification made is accounted for.
  var addUp: Bool { made == coalesced + delivered + stored + held + discardedInAll }
}
