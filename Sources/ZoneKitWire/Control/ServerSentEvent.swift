import ZoneKitRecords

/// An event of a stream of server-sent events (WHATWG HTML, 9.2).
package struct ServerSentEvent: Equatable, Sendable {
  /// The ID, which a client repeats as `Last-Event-ID` when it reconnects; nil leaves the last ID unchanged.
  package var id: UInt64?
  /// The event's name.
  package var event: String
  /// The data, written on one line.
  package var data: JSON

  /// An event with that content.
  package init(id: UInt64? = nil, event: String, data: JSON) {
    self.id = id
    self.event = event
    self.data = data
  }

  /// The bytes of the event.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    if let id { bytes.append(literal: "id: \(id)\n") }
    bytes.append(literal: "event: \(event)\ndata: ")
    bytes.appendJSON(data)
    bytes.append(literal: "\n\n")
    return bytes
  }

  /// The bytes of a comment, which clients ignore.
  package static func comment(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(literal: ": \(text)\n\n")
    return bytes
  }
}
