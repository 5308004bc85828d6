import ZoneKitDeviceHost
import ZoneKitEventLoop
import ZoneKitRecords
import ZoneKitService

/// A device's operating system, between the push service and the app: the machine of simulated devices on a real clock.
final class DeviceSystem {
  /// Called after the app was launched anew: what was shown before is gone.
  var onLaunch: (() throws -> Void)?

  private let client: DeviceClient
  private let printer: DevicePrinter
  private let loop: Loop
  private var life = DeviceLife()
  private lazy var timer = Timer(on: loop) { [unowned self] in self.change { $0.tick(at: $1) } }

  /// The system of a device whose app is in front.
  init(_ client: DeviceClient, printer: DevicePrinter, loop: Loop) {
    self.client = client
    self.printer = printer
    self.loop = loop
    client.onPush = { [unowned self] push in self.change { $0.pushArrived(push, at: $1) } }
    change { $0.launched(at: $1) }
  }

  /// Tells the machine what happened and does what it says.
  func change(_ event: (inout DeviceLife, MonotonicTime) -> [DeviceLife.Effect]) {
    for effect in event(&life, MonotonicTime(milliseconds: loop.now)) { carryOut(effect) }
    if let deadline = life.nextDeadline { timer.schedule(at: deadline.milliseconds) } else { timer.cancel() }
  }

  /// The user throws the app out.
  func forceQuit() {
    change { $0.forceQuit(at: $1) }
    client.endApp()
  }

  /// Ends all that it waits for.
  func close() { timer.close() }

  private func carryOut(_ effect: DeviceLife.Effect) {
    switch effect {
    case .launch: launch()
    case .run: client.resumeApp()
    case .hand(let push):
      client.resumeApp()
      client.take(push)
    case .suspend:
      client.suspendApp()
      printer.print(DeviceEvent("life", [("app", "suspended")], "the app is suspended"))
    case .hold(let push, let reason): tell("pushHeld", push, reason.rawValue)
    case .discard(let push, let reason): tell("pushDiscarded", push, reason.rawValue)
    }
  }

  private func launch() {
    do {
      try client.launchApp()
      try onLaunch?()
    } catch {
      printer.print(DeviceEvent("storeFailed", [("error", .string("\(error)"))], "store failed: \(error)"))
    }
  }

  private func tell(_ event: String, _ push: PushNotification, _ reason: String) {
    let id = push.notificationID
    printer.print(
      DeviceEvent(
        event, [("id", id.map(JSON.string) ?? .null), ("reason", .string(reason))],
        "push \(id ?? "without ID") \(event == "pushHeld" ? "waits" : "is lost"): \(reason)"))
  }
}
