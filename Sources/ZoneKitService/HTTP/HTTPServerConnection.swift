import ZoneKitEventLoop
import ZoneKitWire

/// One client's connection: bytes become requests, and answers go out in the order of the requests, all those of a turn in
/// one write.
///
/// A client may send as many requests ahead as it likes, but no more than `requestsPerTurn` are worked out at once, and none
/// while it does not read its answers: one client costs bounded memory and keeps the others waiting for a bounded time.
final class HTTPServerConnection {
  /// Answers waiting in the socket beyond this many bytes make the connection wait until they are gone.
  static let backlogLimit = 1 << 20
  /// How many requests of one connection a turn takes.
  static let requestsPerTurn = 12

  private let stream: Connection
  private var parser = HTTPRequestParser()
  private var output: [UInt8] = []
  /// What was read and not taken yet.
  private var waiting: [HTTPRequestParser.Event] = []
  private var unanswered = 0
  private var isLast = false
  private var peerHasEnded = false
  private let onEvent: (HTTPServerConnection, HTTPRequestParser.Event) -> Void

  /// Serves a connection: `onEvent` is called for each request, and once for bytes that are no request, behind which nothing
  /// more comes. Every such event is answered with `append`.
  init(_ stream: Connection, onEvent: @escaping (HTTPServerConnection, HTTPRequestParser.Event) -> Void) {
    self.stream = stream
    self.onEvent = onEvent
    stream.onRead = { bytes in
      self.waiting += self.parser.receive(bytes.bindMemory(to: UInt8.self).span)
      self.take()
    }
    stream.onDrained = { self.take() }
    stream.onEnd = {
      self.peerHasEnded = true
      self.endIfDone()
    }
  }

  /// Whether requests were read that the next turn is to take.
  var hasMore: Bool { !waiting.isEmpty && !isBlocked }

  private var isBlocked: Bool { stream.queuedBytes > Self.backlogLimit }

  /// Takes requests as far as the limits allow.
  func take() {
    var position = 0
    while position < waiting.count, unanswered < Self.requestsPerTurn, !isBlocked {
      let event = waiting[position]
      position += 1
      if case .continueExpected = event {
        // An interim answer must not wait for the end of a request that waits for it.
        output.appendContinue()
        if unanswered == 0 { flush() }
      } else {
        unanswered += 1
        onEvent(self, event)
      }
    }
    waiting.removeFirst(position)
    if waiting.isEmpty, !isBlocked { stream.resumeReading() } else { stream.pauseReading() }
  }

  /// Puts the answer to a request behind those that wait for `flush`; nil answers bytes that were none, and is the last.
  func append(_ reply: HTTPReply, to request: HTTPRequest?) {
    unanswered -= 1
    guard !isLast else { return }
    let contentType = reply.body.isEmpty ? nil : reply.contentType
    var head =
      request.map {
        HTTPResponseHead(answering: $0, status: reply.status, contentType: contentType, fields: reply.fields)
      } ?? HTTPResponseHead(status: reply.status, contentType: contentType, fields: reply.fields, keepAlive: false)
    // A page from anywhere may read what the emulator says (CloudKit Web Services, e.4).
    if let origin = request?.fields["Origin"] {
      head.fields.append(HTTPField("Access-Control-Allow-Origin", origin))
      head.fields.append(HTTPField("Access-Control-Expose-Headers", "X-Apple-CloudKit-Web-Auth-Token"))
    }
    output.appendResponse(head, body: reply.body)
    isLast = !head.keepAlive
  }

  /// Ends the connection behind what waits for `flush`, as a cable does that is cut before an answer.
  func breakOff() {
    unanswered -= 1
    isLast = true
  }

  /// Sends what waits.
  func flush() {
    if !output.isEmpty {
      stream.write(output)
      output.removeAll(keepingCapacity: output.capacity <= 64 * 1024)
    }
    endIfDone()
  }

  private func endIfDone() {
    if isLast || (peerHasEnded && unanswered == 0 && waiting.isEmpty) { stream.shutdownAfterWrites() }
  }
}
