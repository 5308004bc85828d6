import ZoneKitRecords

/// One event of a stream of server-sent events (WHATWG HTML, 9.2).
package struct ServerSentEvent: Equatable, Sendable {
  /// The event's number, which a client repeats as `Last-Event-ID` when it comes again; nil leaves that as it was.
  package var id: UInt64?
  /// The event's name.
  package var event: String
  /// The content, in one line.
  package var data: JSON

  /// An event with that content.
  package init(id: UInt64? = nil, event: String, data: JSON) {
    self.id = id
    self.event = event
    self.data = data
  }

  /// The event as it is sent.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    if let id { bytes.append(literal: "id: \(id)\n") }
    bytes.append(literal: "event: \(event)\ndata: ")
    bytes.appendJSON(data)
    bytes.append(literal: "\n\n")
    return bytes
  }

  /// A line that clients ignore.
  package static func comment(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(literal: ": \(text)\n\n")
    return bytes
  }
}
