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
      var members = [
        JSON.Member("device", .string(device)),
        JSON.Member("outcome", .string(fault == .drop ? "dropped" : result.outcome.name)),
      ]
      if let reason = result.outcome.reason { members.append(JSON.Member("reason", .string(reason.rawValue))) }
      if let fault { members.append(JSON.Member("fault", .string(fault.summary))) }
      return .object(members)
    }
  }
}
