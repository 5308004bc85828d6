import ZoneKitRecords

/// The outcome of one notification for some devices.
package struct DeliveryResult: Equatable, Sendable {
  /// The outcome.
  package var outcome: PushGateway.Outcome
  /// The notification's ID; nil if it has none.
  package var notificationID: String?
  /// The subscription that matched.
  package var subscriptionID: String?
  /// The zone that changed; nil if pruning removed it.
  package var zoneID: ZoneID?
  /// The time at which the change was committed.
  package var committedAt: WallTime?
  /// The notification's APNs priority.
  package var priority: PushGateway.Priority
  /// The names of the devices. A device without a name is listed by its token.
  package var devices: [String]

  init(_ notification: PushNotification, _ outcome: PushGateway.Outcome, devices: [String]) {
    self.outcome = outcome
    notificationID = notification.notificationID
    subscriptionID = notification.subscriptionID
    zoneID = notification.zoneID
    committedAt = notification.committedAt
    priority = PushGateway.Priority(of: notification)
    self.devices = devices
  }

  /// The details as JSON members.
  var members: [JSON.Member] {
    [JSON.Member](known: [
      "outcome": .string(outcome.name), "reason": outcome.reason.map { .string($0.rawValue) },
      "devices": .array(devices.map(JSON.string)), "id": text(notificationID), "subscription": text(subscriptionID),
      "zone": text(zoneID?.zoneName.text), "committedAt": text(committedAt?.iso8601),
      "priority": .integer(Int64(priority.rawValue)),
    ])
  }

  /// The result as a sentence.
  var text: String {
    "push \(notificationID ?? "without ID") for \(devices.joined(separator: ", ")): \(outcome.name)"
      + (outcome.reason.map { ", \($0.rawValue)" } ?? "")
  }

  private func text(_ text: String?) -> JSON { text.map(JSON.string) ?? .null }
}

extension PushGateway.Outcome {
  /// The outcome's name in JSON, the same as that of its counter in the status report.
  package var name: String {
    switch self {
    case .excludedOrigin: "excludedOrigin"
    case .coalesced: "coalesced"
    case .delivered: "delivered"
    case .stored: "stored"
    case .held: "held"
    case .discarded: "discarded"
    }
  }

  /// The reason for discarding the notification; nil if it was not discarded.
  package var reason: PushGateway.DiscardReason? {
    switch self {
    case .discarded(let reason): reason
    case .excludedOrigin, .coalesced, .delivered, .stored, .held: nil
    }
  }
}
