import ZoneKitDeviceHost
import ZoneKitEventLoop
import ZoneKitRecords
import ZoneKitService

/// The operating system of a real device, between the push service and the app. It is the same machine as for simulated
/// devices, with a real clock.
final class DeviceSystem {
  private let client: DeviceClient
  private let printer: DevicePrinter
  private let loop: Loop
  private var life = DeviceLife()
  private lazy var timer = Timer(on: loop) { [unowned self] in self.change { $0.tick(at: $1) } }

  /// The system of a device whose app is in the foreground.
  init(_ client: DeviceClient, printer: DevicePrinter, loop: Loop) {
    self.client = client
    self.printer = printer
    self.loop = loop
    client.onPush = { [unowned self] push in self.change { $0.pushArrived(push, at: $1) } }
    change { $0.launched(at: $1) }
  }

  /// Passes an event to the machine and carries out its effects.
  func change(_ event: (inout DeviceLife, MonotonicTime) -> [DeviceLife.Effect]) {
    for effect in event(&life, MonotonicTime(milliseconds: loop.now)) { carryOut(effect) }
    if let deadline = life.nextDeadline { timer.schedule(at: deadline.milliseconds) } else { timer.cancel() }
  }

  /// Force-quits the app.
  func forceQuit() {
    change { $0.forceQuit(at: $1) }
    client.endApp()
  }

  /// Stops the timer.
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
