import EventLoop
import Wire

/// One client's connection: bytes become requests, and answers go out in the order of the requests, all those of a turn in
/// one write.
final class HTTPServerConnection {
  /// Answers waiting in the socket beyond this many bytes make the connection stop reading until they are gone.
  static let backlogLimit = 1 << 20

  private let stream: Connection
  private var parser = HTTPRequestParser()
  private var output: [UInt8] = []
  private var isLast = false
  private var unanswered = 0
  private var peerHasEnded = false

  /// Serves a connection: `onRequest` is called for each request, `onRefusal` once for bytes that are no request, behind
  /// which nothing more is read.
  init(
    _ stream: Connection, onRequest: @escaping (HTTPServerConnection, HTTPRequest) -> Void,
    onRefusal: @escaping (HTTPServerConnection, HTTPError) -> Void
  ) {
    self.stream = stream
    stream.onRead = { bytes in
      for event in self.parser.receive(bytes.bindMemory(to: UInt8.self).span) {
        switch event {
        case .request(let request):
          self.unanswered += 1
          onRequest(self, request)
        case .continueExpected: self.output.appendContinue()
        case .refused(let problem):
          self.unanswered += 1
          onRefusal(self, problem)
        }
      }
      // An interim answer must not wait for the end of a request that waits for it.
      if self.unanswered == 0 { self.flush() }
    }
    stream.onDrained = { stream.resumeReading() }
    stream.onEnd = {
      self.peerHasEnded = true
      if self.unanswered == 0 { stream.shutdownAfterWrites() }
    }
  }

  /// Puts an answer behind those that wait for `flush`.
  func append(_ reply: HTTPReply, to origin: String?, keepsAlive: Bool) {
    unanswered -= 1
    guard !isLast else { return }
    var head = HTTPResponseHead(
      status: reply.status, contentType: reply.body.isEmpty ? nil : reply.contentType, fields: reply.fields,
      keepAlive: keepsAlive)
    // A page from anywhere may read what the emulator says (CloudKit Web Services, e.4).
    if let origin { head.fields.append(HTTPField("Access-Control-Allow-Origin", origin)) }
    output.appendResponse(head, body: reply.body)
    isLast = !keepsAlive
  }

  /// Sends what waits.
  func flush() {
    if !output.isEmpty {
      stream.write(output)
      output.removeAll(keepingCapacity: output.capacity <= 64 * 1024)
    }
    if isLast || (peerHasEnded && unanswered == 0) {
      stream.shutdownAfterWrites()
    } else if stream.queuedBytes > Self.backlogLimit {
      stream.pauseReading()
    }
  }
}
