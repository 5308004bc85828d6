import ZoneKitWire

/// The parser of requests: the same for every cut of the bytes, and never laxer than a foreign parser.
enum HTTPProperties {
  /// The head before a chunked body.
  static let chunkedHead = Array("POST /p HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)

  /// Checks both properties for a stream.
  static func check(_ bytes: [UInt8]) throws {
    let events = events(of: bytes, pieces: max(bytes.count, 1))
    for size in [1, 7] {
      let others = Self.events(of: bytes, pieces: size)
      try Violation.unless(others == events, "cut in pieces of \(size) bytes it is \(others), and whole \(events)")
    }
    try compare(events, with: ForeignHTTPParser(bytes), isWaiting: isWaiting(bytes))
  }

  /// Whether bytes are missing. The foreign parser as Debian builds it takes a CR for the end of a line and does not look at what
  /// follows; here the line ends with its LF, and any other byte is refused with the rest.
  private static func isWaiting(_ bytes: [UInt8]) -> Bool {
    var reader = HTTPRequestReader()
    _ = reader.receive(bytes)
    return !reader.isIdle
  }

  private static func events(of bytes: [UInt8], pieces size: Int) -> [HTTPRequestReader.Event] {
    var reader = HTTPRequestReader()
    var events: [HTTPRequestReader.Event] = []
    for start in stride(from: 0, to: bytes.count, by: size) {
      events += reader.receive(Array(bytes[start..<min(start + size, bytes.count)]))
    }
    // Whether a client waits depends on what has arrived.
    return events.filter { $0 != .continueExpected }
  }

  private static func compare(_ events: [HTTPRequestReader.Event], with foreign: ForeignHTTPParser, isWaiting: Bool)
    throws
  {
    for (index, event) in events.enumerated() {
      switch event {
      case .continueExpected: continue
      case .refused(let error):
        // Both refuse, or the rule is one of ours.
        guard foreign.requests.count > index || foreign.error == nil else { return }
        try Violation.unless(
          stricter.contains { error.reason.hasPrefix($0.reason) }, "refused without a rule: \(error)")
        return
      case .request(let request):
        guard index < foreign.requests.count else {
          let error = foreign.error ?? "no error"
          return try Violation.unless(
            laxer.contains(error),
            "the foreign parser has \(error) at \(request)")
        }
        let other = foreign.requests[index]
        try compare(request, with: other)
        // The foreign parser stops where another protocol may begin; here the server decides whether it does.
        // It reads on behind a request that ends the connection; here the rest is ignored.
        if other.isUpgrade || !request.keepAlive { return }
      }
    }
    try Violation.unless(
      isWaiting || foreign.requests.count <= events.count,
      "the foreign parser has \(foreign.requests.count) requests, not \(events)"
    )
  }

  private static func compare(_ request: HTTPRequest, with foreign: ForeignHTTPParser.Request) throws {
    let target = String(decoding: foreign.target, as: UTF8.self)
    // A target in absolute form is cut to its path here.
    let isEqual =
      target == request.target || !target.hasPrefix("/") && target.hasSuffix(request.query ?? request.path)
      || request.path == "/"
    try Violation.unless(request.method == foreign.method, "the method is \(foreign.method), not \(request.method)")
    try Violation.unless(isEqual, "the target is \(target), not \(request.target)")
    try Violation.unless(
      request.body == foreign.body, "the body has \(foreign.body.count) bytes, not \(request.body.count)")
    let trailerless = zip(foreign.names, foreign.values).prefix(request.fields.count)
    let fields = trailerless.map { HTTPField(text($0), text($1)) }
    try Violation.unless(fields == request.fields.list, "the fields are \(fields), not \(request.fields.list)")
    let isSame = foreign.isUpgrade || request.keepAlive == foreign.keepsAlive
    try Violation.unless(isSame, "the connection stays open: \(foreign.keepsAlive), not \(request.keepAlive)")
  }

  /// A text without the blanks around it, which the foreign parser keeps at the end of values.
  private static func text(_ bytes: [UInt8]) -> String {
    let blanks: Set<UInt8> = [0x20, 0x09]
    return String(
      decoding: bytes.drop { blanks.contains($0) }.reversed().drop { blanks.contains($0) }.reversed(), as: UTF8.self)
  }
}
