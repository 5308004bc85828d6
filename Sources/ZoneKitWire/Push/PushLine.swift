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
      var members = [JSON.Member("stored", .integer(Int64(stored)))]
      if let device { members.insert(JSON.Member("device", .string(device)), at: 0) }
      bytes.appendJSON(.object([JSON.Member("welcome", .object(members))]))
    case .error(let reason, let message):
      var members = [JSON.Member("reason", .string(reason))]
      if let message { members.append(JSON.Member("message", .string(message.errorText))) }
      bytes.appendJSON(.object([JSON.Member("error", .object(members))]))
    case .notification(let notification):
      bytes.append(payload: notification)
    }
    bytes.append(0x0A)
  }
}
