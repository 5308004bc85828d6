import ZoneKitWire

/// Parses the HTTP messages on one connection of a request link. Bytes that are not HTTP are skipped.
package struct LinkListener {
  private var requests = HTTPRequestReader()
  private var answers = HTTPResponseParser()
  /// The requests without an answer. Answers come in the order of their requests.
  private var unanswered: [HTTPRequest] = []

  /// A listener for a new connection.
  package init() {}

  /// Bytes of one direction arrived. Returns the messages that are complete now.
  package mutating func receive(_ bytes: Span<UInt8>, _ way: LinkDirection) -> [LinkMessage] {
    switch way {
    case .toServer:
      let asked = requests.receive(bytes).compactMap { event in
        if case .request(let request) = event { request } else { nil }
      }
      unanswered += asked
      return asked.map { .request($0) }
    case .toDevice:
      return answers.receive(bytes).compactMap { event in
        guard case .response(let response) = event, !unanswered.isEmpty else { return nil }
        return .answer(response, to: unanswered.removeFirst())
      }
    }
  }

  /// The connection ended. Returns the requests that get no answer.
  package mutating func end() -> [LinkMessage] {
    defer { unanswered = [] }
    return unanswered.map { .unanswered($0) }
  }
}
