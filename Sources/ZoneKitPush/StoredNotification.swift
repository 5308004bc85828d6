import ZoneKitRecords

/// A notification between its making and its delivery. Copies share the content, so a thousand slots with the same
/// notification cost a thousand pointers.
struct StoredNotification {
  private struct Content {
    var payload: PushNotification
    var topic: Topic?
    /// Drawn for a random slot; nil for every other slot policy.
    var tieBreak: UInt64?
  }

  /// Different for each notification made, the same for all its receivers.
  let serial: UInt64
  /// One element: an array is a box that copies share.
  private let box: [Content]

  init(serial: UInt64, _ payload: PushNotification, topic: Topic?, tieBreak: UInt64? = nil) {
    self.serial = serial
    box = [Content(payload: payload, topic: topic, tieBreak: tieBreak)]
  }

  /// The notification as it was made.
  var payload: PushNotification { box[0].payload }

  /// What it is about; nil for one made by hand.
  var topic: Topic? { box[0].topic }

  /// The notification as it leaves at that time.
  func payload(sentAt time: WallTime) -> PushNotification {
    var payload = payload
    // Where tracing had to go to make the payload fit, a time put back would make it too long again.
    if payload.sentAt != nil { payload.sentAt = time }
    return payload
  }

  /// How urgent it is for the device.
  var priority: PushGateway.Priority { PushGateway.Priority(of: payload) }

  /// The number by which a random slot decides at that endpoint: of several notifications, the one with the greatest stays.
  /// Each endpoint has its own number, so that not all devices keep the same notification.
  func tieBreak(at endpoint: Int) -> UInt64 {
    guard let tieBreak = box[0].tieBreak else { return .max }
    var value = tieBreak &+ UInt64(endpoint) &* 0x9E37_79B9_7F4A_7C15
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value >> 31
  }

  /// Whether a newer notification says everything that this one says.
  func isOverwritten(by newer: StoredNotification) -> Bool { topic != nil && topic == newer.topic }

  /// The notification with a payload that fits when it leaves at that time; nil where none fits.
  func pruned(sentAt time: WallTime, _ measure: (PushNotification) -> Int) -> StoredNotification? {
    var payload = payload
    payload.sentAt = time
    return payload.pruned(toFit: measure).map {
      StoredNotification(serial: serial, $0, topic: topic, tieBreak: box[0].tieBreak)
    }
  }
}
