import ZoneKitDeviceHost
import ZoneKitRecords

extension DeviceEvent {
  /// The event for what the device's operating system does; nil if it shows in what follows.
  init?(_ effect: DeviceLife.Effect) {
    switch effect {
    case .launch, .run, .hand: return nil
    case .suspend: self.init("life", [("app", "suspended")], "the app is suspended")
    case .hold(let push, let reason): self.init(push, "pushHeld", "waits: \(reason.rawValue)", reason.rawValue)
    case .discard(let push, let reason):
      self.init(push, "pushDiscarded", "is lost: \(reason.rawValue)", reason.rawValue)
    }
  }

  private init(_ push: PushNotification, _ event: String, _ text: String, _ reason: String) {
    let id = push.notificationID
    self.init(
      event, [("id", id.map(JSON.string) ?? .null), ("reason", .string(reason))], "push \(id ?? "without ID") \(text)")
  }

  /// The event for what happens about background refreshes.
  init(_ effect: BackgroundRefresh.Effect) {
    let (state, text) =
      switch effect {
      case .asked: ("asked", "asked for a background refresh")
      case .refused: ("refused", "no background refresh: it is turned off")
      case .begin: ("began", "background refresh begins")
      }
    self.init("refresh", [("task", "com.swisscoin.sync"), ("state", .string(state))], text)
  }
}
