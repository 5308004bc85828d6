import ZoneKitRecords

/// A notification from its making to its delivery. Copies share the content, so a thousand slots with the same
/// notification use a thousand pointers.
struct StoredNotification {
  private struct Content {
    var payload: PushNotification
    var topic: Topic?
    /// A random number for the policy `random`; nil for the others.
    var tieBreak: UInt64?
  }

  /// A number that is unique for each notification and the same for all its receivers.
  let serial: UInt64
  /// An array of one element, because copies of an array share its storage.
  private let box: [Content]

  init(serial: UInt64, _ payload: PushNotification, topic: Topic?, tieBreak: UInt64? = nil) {
    self.serial = serial
    box = [Content(payload: payload, topic: topic, tieBreak: tieBreak)]
  }

  /// The notification as it was made.
  var payload: PushNotification { box[0].payload }

  /// The topic; nil for a notification that was delivered by hand.
  var topic: Topic? { box[0].topic }

  /// The notification as it is sent at that time.
  func payload(sentAt time: WallTime) -> PushNotification {
    var payload = payload
    // If tracing was removed to make the payload fit, adding a time would make it too long again.
    if payload.sentAt != nil { payload.sentAt = time }
    return payload
  }

  /// The notification's APNs priority.
  var priority: PushGateway.Priority { PushGateway.Priority(of: payload) }

  /// The number by which a random slot of that endpoint chooses: the notification with the highest number is kept. It
  /// differs per endpoint, so that not all devices keep the same notification.
  func tieBreak(at endpoint: Int) -> UInt64 {
    guard let tieBreak = box[0].tieBreak else { return .max }
    var value = tieBreak &+ UInt64(endpoint) &* 0x9E37_79B9_7F4A_7C15
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value >> 31
  }

  /// Whether a newer notification has the same topic.
  func isOverwritten(by newer: StoredNotification) -> Bool { topic != nil && topic == newer.topic }

  /// The notification with a payload that fits when it is sent at that time; nil if none fits.
  func pruned(sentAt time: WallTime, _ measure: (PushNotification) -> Int) -> StoredNotification? {
    var payload = payload
    payload.sentAt = time
    return payload.pruned(toFit: measure).map {
      StoredNotification(serial: serial, $0, topic: topic, tieBreak: box[0].tieBreak)
    }
  }
}
