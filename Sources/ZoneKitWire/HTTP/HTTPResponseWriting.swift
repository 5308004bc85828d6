import ZoneKitRecords

extension [UInt8] {
  /// Appends a complete response.
  package mutating func appendResponse(_ head: HTTPResponseHead, body: [UInt8]) {
    appendResponseHead(head, length: body.count)
    if head.hasBody { append(contentsOf: body) }
  }

  /// Appends the head of a response with a body of `length` bytes.
  package mutating func appendResponseHead(_ head: HTTPResponseHead, length: Int) {
    appendStart(head)
    if head.status != 204 {
      append(literal: "Content-Length: ")
      appendDecimal(Int64(length))
      append(literal: "\r\n")
    }
    append(literal: "\r\n")
  }

  /// Appends the head of a response whose body follows: in chunks or, for a client of HTTP/1.0, up to the end of the
  /// connection.
  package mutating func appendStreamHead(_ head: HTTPResponseHead, isChunked: Bool) {
    var head = head
    if !isChunked { head.keepAlive = false }
    appendStart(head)
    append(literal: isChunked ? "Transfer-Encoding: chunked\r\n\r\n" : "\r\n")
  }

  /// Appends a chunk of a body. An empty chunk would end the body and is left out.
  package mutating func appendChunk(_ piece: [UInt8]) {
    guard !piece.isEmpty else { return }
    append(literal: String(piece.count, radix: 16))
    append(literal: "\r\n")
    append(contentsOf: piece)
    append(literal: "\r\n")
  }

  /// Appends the end of a chunked body.
  package mutating func appendLastChunk() { append(literal: "0\r\n\r\n") }

  /// Appends the response that switches the connection to another protocol (RFC 9110, 15.2.2).
  package mutating func appendUpgrade(to name: String, fields: [HTTPField]) {
    append(literal: "HTTP/1.1 101 Switching Protocols\r\n")
    append(fields: [HTTPField("Connection", "Upgrade"), HTTPField("Upgrade", name)] + fields)
    append(literal: "\r\n")
  }

  /// Appends the interim response for a client that sent `Expect: 100-continue`.
  package mutating func appendContinue() {
    append(literal: "HTTP/1.1 100 Continue\r\n\r\n")
  }

  /// Appends the text of a field value. A control character, which could begin another field, becomes a space.
  mutating func append(fieldText text: String) {
    let bytes = text.utf8.span
    append(addingCapacity: bytes.count) { output in
      for index in bytes.indices {
        output.append(HTTPByte.isFieldContent(bytes[index]) ? bytes[index] : HTTPByte.space)
      }
    }
  }

  /// Appends fields, each on its own line.
  mutating func append(fields: [HTTPField]) {
    for field in fields {
      append(fieldText: field.name)
      append(literal: ": ")
      append(fieldText: field.value)
      append(literal: "\r\n")
    }
  }

  private mutating func appendStart(_ head: HTTPResponseHead) {
    append(literal: "HTTP/1.1 ")
    appendDecimal(Int64(head.status))
    append(HTTPByte.space)
    append(literal: HTTPResponseHead.phrase(head.status))
    append(literal: "\r\n")
    if let contentType = head.contentType {
      append(literal: "Content-Type: ")
      append(fieldText: contentType)
      append(literal: "\r\n")
    }
    append(fields: head.fields)
    if !head.keepAlive { append(literal: "Connection: close\r\n") }
  }
}
