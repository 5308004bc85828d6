import ZoneKitWire

/// Reads along on one connection of a link of requests, and changes nothing. Bytes that are no HTTP are passed over.
package struct LinkEar {
  private var requests = HTTPRequestReader()
  private var answers = HTTPResponseParser()
  /// Answers come in the order of their requests.
  private var unanswered: [HTTPRequest] = []

  /// An ear for a new connection.
  package init() {}

  /// Takes in bytes of one direction, and gives the messages that are whole now.
  package mutating func hear(_ bytes: Span<UInt8>, _ way: LinkDirection) -> [LinkMessage] {
    switch way {
    case .toServer:
      let heard = requests.receive(bytes).compactMap { event in
        if case .request(let request) = event { request } else { nil }
      }
      unanswered += heard
      return heard.map { .request($0) }
    case .toDevice:
      return answers.receive(bytes).compactMap { event in
        guard case .response(let response) = event, !unanswered.isEmpty else { return nil }
        return .answer(response, to: unanswered.removeFirst())
      }
    }
  }

  /// The connection has ended.
  package mutating func end() -> [LinkMessage] {
    defer { unanswered = [] }
    return unanswered.map { .unanswered($0) }
  }
}
