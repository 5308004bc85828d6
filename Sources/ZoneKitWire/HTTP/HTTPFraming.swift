/// What the header fields determine about the connection and the end of the body (RFC 9112, 6 and 9).
///
/// If two readers could see different ends of a message, it is refused: length together with chunks, two lengths, or a
/// length that is not a plain number.
struct HTTPFraming: Equatable {
  /// The length of the body in bytes; nil if it is not given.
  private(set) var contentLength: Int?
  private(set) var isChunked = false
  private(set) var hostCount = 0
  /// Whether `Connection` has `close`.
  private(set) var saysClose = false
  /// Whether `Connection` has `keep-alive`.
  private(set) var saysKeepAlive = false
  /// Whether `Connection` has `upgrade`.
  private(set) var saysUpgrade = false
  /// Whether `Expect` asks for an interim 100.
  private(set) var expectsContinue = false

  init(_ fields: HTTPFields, minorVersion: Int) throws(HTTPError) {
    for index in 0..<fields.count { try read(index, of: fields) }
    guard !isChunked || contentLength == nil else {
      throw .malformed("A message must have Content-Length or Transfer-Encoding, not both.")
    }
    guard !isChunked || minorVersion > 0 else { throw .malformed("HTTP/1.0 has no Transfer-Encoding.") }
  }

  /// Whether the connection stays open after this message.
  func keepsAlive(minorVersion: Int) -> Bool { !saysClose && (minorVersion > 0 || saysKeepAlive) }

  private mutating func read(_ index: Int, of fields: HTTPFields) throws(HTTPError) {
    switch fields.nameLength(at: index) {
    case 4 where fields.has("host", at: index): hostCount += 1
    case 6 where fields.has("expect", at: index):
      guard fields.hasValue("100-continue", at: index) else {
        throw HTTPError(status: 417, reason: "Expect may only be 100-continue.")
      }
      expectsContinue = true
    case 10 where fields.has("connection", at: index): readConnection(fields.value(at: index))
    case 14 where fields.has("content-length", at: index): try readLength(fields.value(at: index))
    case 17 where fields.has("transfer-encoding", at: index):
      guard !isChunked else { throw .malformed("Transfer-Encoding must be given once.") }
      guard fields.hasValue("chunked", at: index) else {
        throw HTTPError(status: 501, reason: "Transfer-Encoding may only be chunked.")
      }
      isChunked = true
    default: break
    }
  }

  private mutating func readConnection(_ value: ArraySlice<UInt8>) {
    for element in value.split(separator: UInt8(ascii: ",")) {
      let option = element.filter { !HTTPByte.isBlank($0) }.map(HTTPByte.lowercased)
      if option.elementsEqual("close".utf8) { saysClose = true }
      if option.elementsEqual("keep-alive".utf8) { saysKeepAlive = true }
      if option.elementsEqual("upgrade".utf8) { saysUpgrade = true }
    }
  }

  private mutating func readLength(_ value: ArraySlice<UInt8>) throws(HTTPError) {
    guard contentLength == nil else { throw .malformed("Content-Length must be given once.") }
    // Eighteen digits cannot overflow, and no longer number is within any limit.
    guard 1...18 ~= value.count, value.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else {
      throw .malformed("Content-Length must be a plain decimal number of bytes.")
    }
    contentLength = value.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }
}
