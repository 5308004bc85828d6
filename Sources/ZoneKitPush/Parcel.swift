import ZoneKitRecords

/// A notification under way. Its content is shared, so that a thousand slots with the same one cost a thousand pointers.
struct Parcel {
  private struct Content {
    var notification: PushNotification
    var topic: Topic?
    /// Drawn for a slot policy that leaves it to chance; nil where that is not the policy, or nobody drew.
    var lot: UInt64?
  }

  /// Different for each notification made, the same for all its receivers.
  let serial: UInt64
  /// One element: an array is a box that copies share.
  private let box: [Content]

  init(serial: UInt64, _ notification: PushNotification, topic: Topic?, lot: UInt64? = nil) {
    self.serial = serial
    box = [Content(notification: notification, topic: topic, lot: lot)]
  }

  /// The notification as it was made.
  var notification: PushNotification { box[0].notification }

  /// What it is about; nil for one made by hand.
  var topic: Topic? { box[0].topic }

  /// The notification as it leaves at that time.
  func notification(sentAt time: WallTime) -> PushNotification {
    var notification = notification
    // Where tracing had to go to make the payload fit, a time put back would make it too long again.
    if notification.sentAt != nil { notification.sentAt = time }
    return notification
  }

  /// How urgent it is for the device.
  var priority: PushGateway.Priority { PushGateway.Priority(of: notification) }

  /// The parcel's lot at that endpoint: of several, the one with the greatest wins. Each endpoint has its own, so that not
  /// all devices keep the same one.
  func lot(at endpoint: Int) -> UInt64 {
    guard let lot = box[0].lot else { return .max }
    var value = lot &+ UInt64(endpoint) &* 0x9E37_79B9_7F4A_7C15
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value >> 31
  }

  /// Whether a newer one leaves nothing to be learned from this one.
  func isOverwritten(by newer: Parcel) -> Bool { topic != nil && topic == newer.topic }

  /// The same parcel, made to fit for leaving at that time; nil where it cannot be.
  func pruned(sentAt time: WallTime, _ measure: (PushNotification) -> Int) -> Parcel? {
    var notification = notification
    notification.sentAt = time
    return notification.pruned(toFit: measure).map { Parcel(serial: serial, $0, topic: topic, lot: box[0].lot) }
  }
}
