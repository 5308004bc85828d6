import ZoneKitRecords

/// A line that the push service sends to a client.
package enum PushLine: Hashable, Sendable {
  /// The hello was accepted: the device's name, and the number of stored notifications that follow immediately.
  case welcome(device: String?, stored: Int)
  /// The connection is about to be closed: a reason such as `BadDeviceToken`, and a sentence.
  case error(reason: String, message: String?)
  /// A notification.
  case notification(PushNotification)

  /// Parses a line. Unknown keys are ignored.
  package init(line: ArraySlice<UInt8>) throws(PushLineError) {
    let json = try JSON(pushLine: line)
    if let welcome = json["welcome"] {
      let stored = welcome["stored"]?.integer.flatMap { Int(exactly: $0) } ?? 0
      self = .welcome(device: welcome["device"]?.string, stored: stored)
    } else if let error = json["error"] {
      self = .error(reason: error["reason"]?.string ?? "Unknown", message: error["message"]?.string)
    } else {
      self = .notification(try PushNotification(payload: json))
    }
  }

  /// The line with its end.
  package var line: [UInt8] {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return bytes
  }

  /// Appends the line with its end, so that several lines can be sent in one write.
  package func append(to bytes: inout [UInt8]) {
    switch self {
    case .welcome(let device, let stored):
      let welcome = JSON(known: ["device": device.map { .string($0) }, "stored": .integer(Int64(stored))])
      bytes.appendJSON(["welcome": welcome])
    case .error(let reason, let message):
      let error = JSON(known: ["reason": .string(reason), "message": message.map { .string($0.errorText) }])
      bytes.appendJSON(["error": error])
    case .notification(let notification):
      bytes.append(payload: notification)
    }
    bytes.append(0x0A)
  }
}
