import ZoneKitPush
import ZoneKitRecords
import ZoneKitWire

extension PushDelivery {
  /// That a message was sent to a client on these topics, as JSON.
  static func report(_ client: String, topics: [String]) -> JSON {
    [
      "device": .string(client), "outcome": "delivered",
      "topics": .array(topics.map(JSON.string)),
    ]
  }

  /// What happened to a payload at receivers, as JSON: one object for each.
  static func report(_ result: DeliveryResult, _ fault: PushFault?) -> [JSON] {
    result.devices.map { device in
      JSON(known: [
        "device": .string(device), "outcome": .string(fault == .drop ? "dropped" : result.outcome.name),
        "reason": result.outcome.reason.map { .string($0.rawValue) }, "fault": fault.map { .string($0.summary) },
      ])
    }
  }
}
