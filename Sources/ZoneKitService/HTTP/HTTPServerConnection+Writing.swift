import ZoneKitEventLoop
import ZoneKitWire

/// Sends the answers of a connection.
extension HTTPServerConnection {
  /// An exchange was answered or that an answer has grown. Appends everything that is next in order to
  /// `output`.
  func answered() {
    while isOpen, let first = exchanges.first {
      inviteBody(of: first)
      guard write(first) else { break }
      release(exchanges.removeFirst())
    }
    if exchanges.isEmpty, isOpen, let refusal {
      append(refusal, HTTPResponseHead(status: refusal.status, keepAlive: false))
    }
    if !isOpen {
      let unsent = exchanges
      exchanges = []
      close(unsent)
    }
    note()
    if !isParsing { _ = handOver() }
  }

  /// Sends the interim answer 100. It must not wait for the end of a request that waits for it.
  private func inviteBody(of exchange: HTTPExchange) {
    guard exchange.expectsContinue else { return }
    exchange.expectsContinue = false
    output.append { $0.appendContinue() }
  }

  /// Appends what is known of an answer to `output`. Returns whether the answer is complete.
  private func write(_ exchange: HTTPExchange) -> Bool {
    switch exchange.answer {
    case .awaited: return false
    case .whole(let reply):
      var head = HTTPResponseHead(answering: exchange.request, status: reply.status)
      if exchange.endsConnection { head.keepAlive = false }
      append(reply, head, fields: exchange.crossOriginFields)
      return true
    case .none:
      phase = .last
      return true
    case .streamed(let stream): return write(stream, to: exchange)
    case .upgrade(let name, let fields, let use):
      output.append { $0.appendUpgrade(to: name, fields: fields) }
      phase = .upgrading(use)
      return true
    }
  }

  private func write(_ stream: HTTPAnswerStream, to exchange: HTTPExchange) -> Bool {
    let request = exchange.request
    let isChunked = request.minorVersion > 0 && stream.length == nil
    var head = HTTPResponseHead(answering: request, status: stream.head.status, contentType: stream.head.contentType)
    if !stream.hasStarted {
      head.fields += stream.head.fields + exchange.crossOriginFields
      output.append {
        if let length = stream.length {
          $0.appendResponseHead(head, length: length)
        } else {
          $0.appendStreamHead(head, isChunked: isChunked)
        }
      }
    }
    for piece in stream.takePieces() where !head.omitsBody {
      output.append { if isChunked { $0.appendChunk(piece) } else { $0 += piece } }
    }
    switch stream.end {
    case nil: return false
    case .complete:
      if isChunked, !head.omitsBody { output.append { $0.appendLastChunk() } }
      let hasEnd = isChunked || stream.length != nil
      if !hasEnd || !head.keepAlive { phase = .last }
    case .brokenOff: phase = .last
    }
    return true
  }

  private func append(_ reply: HTTPReply, _ head: HTTPResponseHead, fields: [HTTPField] = []) {
    output.appendResponse(head.completed(by: reply, fields: fields), body: reply.body)
    if !head.keepAlive { phase = .last }
  }

  private func note() {
    guard !isNoted else { return }
    isNoted = true
    server.noteOutput(of: self)
  }

  /// Sends `output`.
  func flush() {
    isNoted = false
    begun = 0
    output.flush { stream.write($0) }
    endIfDone()
  }

  /// Closes the connection if nothing is left to do.
  func endIfDone() {
    guard output.isEmpty else { return }
    switch phase {
    case .open:
      guard peerHasEnded, exchanges.isEmpty, unread.isEmpty else { return }
      stream.shutdownAfterWrites()
    case .last: stream.shutdownAfterWrites()
    case .upgrading, .handedOver: return
    }
  }

  /// Passes the stream on if an upgrade was answered. Returns whether the stream no longer belongs to this connection.
  func handOver() -> Bool {
    switch phase {
    case .open, .last: return false
    case .handedOver: return true
    case .upgrading(let use):
      phase = .handedOver
      stream.onRead = nil
      stream.onDrained = nil
      stream.onEnd = nil
      stream.onClose = nil
      server.remove(self)
      output.flush { stream.write($0) }
      stream.resumeReading()
      let rest = unread
      unread = []
      use(stream, rest)
      return true
    }
  }
}
