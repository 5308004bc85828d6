import ZoneKitRecords

/// The state of one record on a device, and of the device itself, read from the device's file.
package struct DeviceSighting: Hashable, Sendable {
  /// How a device learns that another one changed a record.
  package enum Announcement: Hashable, Sendable {
    /// A push of the account's subscription announces the change.
    case subscription
    /// An event of the device's realtime channel announces the change.
    case channel
    /// Nothing announces a change of a record of that type. The next fetch brings it.
    case none
  }

  /// How the device and the cloud's files name the same version of a record.
  package enum VersionMark: Hashable, Sendable {
    /// By the same change tag.
    case changeTag
    /// By the time of the commit. The change tags of the protocol are other ones than those in the cloud's files.
    case commitTime
  }

  /// The record; nil if the device does not have it.
  package var record: LocalRecord?
  /// The state of the record's zone; nil if the device does not know the zone.
  package var zone: ZoneState?
  /// The values in the device's store.
  package var values: [DeviceKey: DeviceValue]
  /// Whether the device is running.
  package var isRunning: Bool
  /// How the device learns of changes of the record.
  package var announcement: Announcement

  /// How a version on the device is compared with the cloud's.
  package var versionMark = VersionMark.changeTag

  /// The way of pushes to the device; nil if nobody was asked.
  package var pushWay: PushWay?

  /// The way of pushes to a device, as its process and the push service see it.
  package struct PushWay: Hashable, Sendable {
    /// The connection as the device sees it; nil if it was not asked.
    package var socket: DeviceDiagnostics.Socket?
    /// Whether the push service has a registration of the device; nil if it was not asked.
    package var isRegistered: Bool?
    /// When the changes were committed whose pushes wait at the service.
    package var waiting: [WallTime]
    /// When the changes were committed whose pushes or events a fault of the service holds back.
    package var held: [WallTime] = []
    /// When faults of the service dropped pushes or events.
    package var dropped: [WallTime] = []
    /// Whether the device says that it has no link; false if it was not asked.
    package var isOffline = false
    /// The device's subscription in the cloud; nil if the cloud was not asked.
    package var subscription: Subscription?

    /// What the cloud has of a device's subscription.
    package enum Subscription: Hashable, Sendable {
      /// A subscription that makes silent pushes.
      case silent
      /// A subscription that makes no silent pushes.
      case mute
      /// No subscription of that ID.
      case missing

      /// What these subscriptions of the cloud say about the one with that ID.
      package init(_ id: String, among subscriptions: [ZoneKitRecords.Subscription]) {
        let own = subscriptions.first { $0.subscriptionID == id }
        self = own.map { $0.notificationInfo?.shouldSendContentAvailable == true ? .silent : .mute } ?? .missing
      }
    }

    /// The way with these properties.
    package init(socket: DeviceDiagnostics.Socket? = nil, isRegistered: Bool? = nil, waiting: [WallTime] = []) {
      self.socket = socket
      self.isRegistered = isRegistered
      self.waiting = waiting
    }
  }

  /// A state with these parts.
  package init(
    record: LocalRecord?, zone: ZoneState?, values: [DeviceKey: DeviceValue], isRunning: Bool,
    announcement: Announcement = .subscription, pushWay: PushWay? = nil
  ) {
    self.announcement = announcement
    self.pushWay = pushWay
    self.record = record
    self.zone = zone
    self.values = values
    self.isRunning = isRunning
  }

  /// A stored time, converted to the cloud's clock.
  func cloudTime(_ key: DeviceKey) -> WallTime? {
    values[key]?.integer.map { WallTime(milliseconds: $0).advanced(byMilliseconds: clockOffset) }
  }

  /// The difference of the cloud's clock from the device's, in milliseconds.
  private var clockOffset: Int64 { values[.clockOffset]?.integer ?? 0 }

  func text(_ key: DeviceKey) -> String? { values[key]?.text }

  /// Whether the device says that it has no link.
  var isOffline: Bool { isRunning && pushWay?.isOffline == true }

  /// Why the device ignored the last push; nil if it did not.
  var ignoredPush: IgnoredPush? { text(.pushLastIgnored).flatMap(IgnoredPush.init(rawValue:)) }

  /// Whether the device has seen the cloud's state of the record.
  func hasSeen(_ cloud: CloudSighting) -> Bool {
    guard case .saved(let version) = cloud else { return record?.server == nil }
    return switch versionMark {
    case .changeTag: record?.server?.changeTag == version.changeTag
    case .commitTime: record?.server?.modified.at == version.modified.at
    }
  }

  /// The state of the device's subscription.
  var subscriptionState: DeviceDiagnostics.Subscription.State {
    text(.subscriptionState).flatMap(DeviceDiagnostics.Subscription.State.init(rawValue:)) ?? .unknown
  }

  /// The error of the last fetch; nil if it succeeded or there was none.
  var failure: CloudErrorCode? {
    guard case .failed(let code, _)? = text(.fetchLastResult).flatMap(FetchResult.init(text:)) else { return nil }
    return code
  }
}

extension CoordinatorConfiguration {
  /// How a device learns that another one changed a record of that type.
  package func announcement(of type: Name?) -> DeviceSighting.Announcement {
    guard pushes.subscriptionID == nil else { return .subscription }
    return type.map { traits.announcedTypes?.contains($0) ?? false } == true ? .channel : .none
  }
}
