import ZoneKitRecords

extension [UInt8] {
  /// Appends a whole response, whose body is at hand.
  package mutating func appendResponse(_ head: HTTPResponseHead, body: [UInt8]) {
    appendStart(head)
    if head.status != 204 {
      append(literal: "Content-Length: ")
      appendDecimal(Int64(body.count))
      append(literal: "\r\n")
    }
    append(literal: "\r\n")
    if !head.omitsBody, head.status != 204 { append(contentsOf: body) }
  }

  /// Appends a whole response, whose body `render` appends behind the head: nothing is written twice. The length is
  /// filled in afterwards; space before a value means nothing (RFC 9112, 5). If rendering fails, nothing is appended.
  /// A 204 has no body, so nothing is rendered.
  package mutating func appendResponse<Failure: Error>(
    _ head: HTTPResponseHead, rendering render: (inout [UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    guard head.status != 204 else { return appendResponse(head, body: []) }
    let start = count
    appendStart(head)
    append(literal: "Content-Length:" + Self.lengthRoom + "\r\n\r\n")
    let body = count
    do throws(Failure) {
      try render(&self)
    } catch {
      removeSubrange(start...)
      throw error
    }
    fillIn(count - body, before: body - 4)
    if head.omitsBody { removeSubrange(body...) }
  }

  /// Appends the head of a response whose body follows piece by piece and is ended by closing the connection.
  package mutating func appendStreamHead(_ head: HTTPResponseHead) {
    var head = head
    head.keepAlive = false
    appendStart(head)
    append(literal: "\r\n")
  }

  /// Appends the interim response that a client with `Expect: 100-continue` waits for.
  package mutating func appendContinue() {
    append(literal: "HTTP/1.1 100 Continue\r\n\r\n")
  }

  /// Appends the text of a field value; a control character, which could begin a field of its own, becomes a space.
  mutating func append(fieldText text: String) {
    for byte in text.utf8 { append(HTTPByte.isFieldContent(byte) ? byte : HTTPByte.space) }
  }

  /// Appends fields, each on its line.
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

  /// A space and room for every length that an Int can have.
  private static var lengthRoom: String { "                    " }

  private mutating func fillIn(_ length: Int, before end: Int) {
    var place = end
    var rest = length
    repeat {
      place -= 1
      self[place] = UInt8(ascii: "0") + UInt8(rest % 10)
      rest /= 10
    } while rest > 0
  }
}
