import ZoneKitRecords

extension [UInt8] {
  /// Appends a complete request. Content-Length is left out only for a GET without a body. Bytes that are not allowed
  /// in a target are percent-encoded, so that no text can add a line to the head.
  package mutating func appendRequest(_ head: HTTPRequestHead, body: [UInt8] = []) {
    append(literal: head.method)
    append(HTTPByte.space)
    for byte in head.target.utf8 {
      if HTTPByte.isTarget(byte) { append(byte) } else { HTTPPercent.append(byte, to: &self) }
    }
    append(literal: " HTTP/1.1\r\n")
    append(fields: [HTTPField("Host", head.host)])
    if let contentType = head.contentType { append(fields: [HTTPField("Content-Type", contentType)]) }
    append(fields: head.fields)
    if !head.keepAlive { append(literal: "Connection: close\r\n") }
    if !body.isEmpty || head.method != "GET" {
      append(literal: "Content-Length: ")
      appendDecimal(Int64(body.count))
      append(literal: "\r\n")
    }
    append(literal: "\r\n")
    append(contentsOf: body)
  }
}
