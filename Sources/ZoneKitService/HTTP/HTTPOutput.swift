import ZoneKitWire

/// The bytes of answers that are sent at the end of the turn. Short ones are joined, and long bodies are not copied.
struct HTTPOutput {
  /// The number of bytes from which a body is kept as it is.
  private static let longBody = 64 * 1024

  private var pieces: [[UInt8]] = []
  private var last: [UInt8] = []
  private var pieceBytes = 0

  /// The number of bytes.
  var count: Int { pieceBytes + last.count }

  /// Whether there is nothing to send.
  var isEmpty: Bool { pieces.isEmpty && last.isEmpty }

  /// Appends what `write` appends to an array.
  mutating func append(_ write: (inout [UInt8]) -> Void) { write(&last) }

  /// Appends a complete response.
  mutating func appendResponse(_ head: HTTPResponseHead, body: [UInt8]) {
    guard body.count >= Self.longBody else { return last.appendResponse(head, body: body) }
    last.appendResponseHead(head, length: body.count)
    guard head.hasBody else { return }
    pieces += [last, body]
    pieceBytes += last.count + body.count
    last = []
  }

  /// Passes everything to `send`, in order, and is empty afterwards.
  mutating func flush(_ send: ([UInt8]) -> Void) {
    for piece in pieces { send(piece) }
    pieces = []
    pieceBytes = 0
    if !last.isEmpty { send(last) }
    last.removeAll(keepingCapacity: last.capacity <= Self.longBody)
  }
}
