import ZoneKitCHTTPParser

/// What Debian's http-parser makes of a stream of requests.
struct ForeignHTTPParser {
  /// A request as that parser saw it.
  struct Request {
    var method = ""
    var target: [UInt8] = []
    var names: [[UInt8]] = []
    var values: [[UInt8]] = []
    var body: [UInt8] = []
    var keepsAlive = false
    /// Whether the parser stopped behind this request because of `Upgrade` or CONNECT.
    var isUpgrade = false
  }

  /// The complete requests.
  private(set) var requests: [Request] = []
  /// The name of the error that ended the stream; nil if it has not ended with one.
  private(set) var error: String?
  private var current = Request()
  private var isInValue = false

  /// Reads a stream.
  init(_ bytes: [UInt8]) {
    var settings = http_parser_settings()
    settings.on_message_begin = { with($0) { $0.begin() } }
    settings.on_url = { with($0, $1, $2) { $0.current.target += $1 } }
    settings.on_header_field = { with($0, $1, $2) { $0.takeName($1) } }
    settings.on_header_value = { with($0, $1, $2) { $0.takeValue($1) } }
    settings.on_body = { with($0, $1, $2) { $0.current.body += $1 } }
    settings.on_message_complete = { parser in
      guard let parser = parser else { return 1 }
      let method = String(cString: http_method_str(http_method(parser.pointee.method)))
      let (keepsAlive, isUpgrade) = (http_should_keep_alive(parser) != 0, parser.pointee.upgrade != 0)
      return with(parser) { $0.complete(method, keepsAlive: keepsAlive, isUpgrade: isUpgrade) }
    }
    var parser = http_parser()
    http_parser_init(&parser, HTTP_REQUEST)
    withUnsafeMutablePointer(to: &self) { state in
      parser.data = UnsafeMutableRawPointer(state)
      _ = bytes.withUnsafeBytes { buffer in
        http_parser_execute(
          &parser, &settings, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), buffer.count)
      }
    }
    let code = http_errno(parser.http_errno)
    error = code == HPE_OK ? nil : String(cString: http_errno_name(code))
  }

  private mutating func begin() {
    current = Request()
    isInValue = false
  }

  private mutating func takeName(_ piece: [UInt8]) {
    if isInValue || current.names.isEmpty {
      current.names.append([])
      current.values.append([])
    }
    isInValue = false
    current.names[current.names.count - 1] += piece
  }

  private mutating func takeValue(_ piece: [UInt8]) {
    isInValue = true
    guard !current.values.isEmpty else { return }
    current.values[current.values.count - 1] += piece
  }

  private mutating func complete(_ method: String, keepsAlive: Bool, isUpgrade: Bool) {
    current.method = method
    current.keepsAlive = keepsAlive
    current.isUpgrade = isUpgrade
    requests.append(current)
    current = Request()
  }
}

/// Hands an event to the parser that the C object belongs to.
private func with(_ parser: UnsafeMutablePointer<http_parser>?, _ take: (inout ForeignHTTPParser) -> Void) -> CInt {
  guard let data = parser?.pointee.data else { return 1 }
  take(&data.assumingMemoryBound(to: ForeignHTTPParser.self).pointee)
  return 0
}

/// Hands an event with bytes to the parser that the C object belongs to.
private func with(
  _ parser: UnsafeMutablePointer<http_parser>?, _ start: UnsafePointer<CChar>?, _ count: Int,
  _ take: (inout ForeignHTTPParser, [UInt8]) -> Void
) -> CInt {
  let bytes = UnsafeBufferPointer(start: start, count: count).map { UInt8(bitPattern: $0) }
  return with(parser) { take(&$0, bytes) }
}
