import ZoneKitPush
import ZoneKitRecords

/// The receivers of pushes in the status report, as JSON.
enum PushReport {
  /// An entry of `receivers`: who it is, whether it is connected, and what waits for it. `held` is what faults hold back, and
  /// `droppedAt` when they dropped something. A device of the data directory has its name there.
  static func receiver(
    _ receiver: PushGateway.Receiver, held: [PushNotification], _ drops: FaultDrops, _ names: DeviceNames
  ) -> JSON {
    let name = receiver.deviceID.flatMap { names.names(of: $0).first } ?? receiver.name
    return [
      "name": .string(name), "device": text(receiver.deviceID), "user": text(receiver.user?.text),
      "token": text(receiver.token.map { PushRegistration.shortened($0) }), "watches": .bool(receiver.token == nil),
      "connected": .bool(receiver.isConnected), "since": text(receiver.since?.iso8601),
      "waiting": .array(receiver.waiting.map(push)), "held": .array(held.map(push)),
      "droppedAt": drops.json,
    ]
  }

  private static func push(_ push: PushNotification) -> JSON {
    [
      "id": text(push.notificationID), "zone": text(push.zoneID?.zoneName.text),
      "committedAt": text(push.committedAt?.iso8601),
    ]
  }

  private static func text(_ text: String?) -> JSON { text.map(JSON.string) ?? .null }
}
