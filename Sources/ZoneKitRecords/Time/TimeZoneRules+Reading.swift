/// Reads compiled time zones: RFC 8536, versions 1 to 4.
extension TimeZoneRules {
  /// The zone of that name in the bytes of a compiled file. Throws if the bytes are no such file.
  ///
  /// Leap seconds are refused, because the clocks of devices do not count them.
  public init(name: String, compiled bytes: [UInt8]) throws(TimeZoneError) {
    do throws(TimeZoneError) {
      var reader = ZoneFileReader(bytes: bytes)
      let old = try reader.header()
      guard old.version > 0 else {
        let (first, transitions) = try reader.block(old, width: 4)
        self.init(name: name, first: first, transitions: transitions)
        return
      }
      _ = try reader.take(old.length(width: 4))
      let (first, transitions) = try reader.block(try reader.header(), width: 8)
      let rule = try reader.footer()
      self.init(
        name: name, first: first, transitions: transitions,
        yearly: rule.isEmpty ? nil : try YearlyRule(parsing: Array(rule)))
    } catch {
      throw TimeZoneError("the file of time zone \(name) cannot be read: \(error)")
    }
  }
}

/// The sizes in the head of a block.
private struct ZoneFileHeader {
  var version: UInt8
  /// Marks of UTC and of standard time, leap seconds, transitions, kinds of time, and bytes of abbreviations.
  var counts: [Int]

  var transitions: Int { counts[3] }
  var kinds: Int { counts[4] }

  /// The number of bytes of the block. `width` is that of a time.
  func length(width: Int) -> Int {
    counts[0] + counts[1] + counts[2] * (width + 4) + transitions * (width + 1) + kinds * 6 + counts[5]
  }
}

/// Reads the parts of a compiled file one after another.
private struct ZoneFileReader {
  let bytes: [UInt8]
  private var position = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func take(_ count: Int) throws(TimeZoneError) -> ArraySlice<UInt8> {
    guard count <= bytes.count - position else { throw TimeZoneError("it ends after \(bytes.count) bytes") }
    position += count
    return bytes[position - count..<position]
  }

  /// A number of that many bytes with a sign, the highest byte first.
  private mutating func number(_ width: Int) throws(TimeZoneError) -> Int64 {
    let read = try take(width).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return width == 4 ? Int64(Int32(truncatingIfNeeded: read)) : Int64(bitPattern: read)
  }

  mutating func header() throws(TimeZoneError) -> ZoneFileHeader {
    guard try take(4).elementsEqual("TZif".utf8) else { throw TimeZoneError("it does not begin with TZif") }
    let version = try take(16).first ?? 0
    var counts: [Int] = []
    for _ in 0..<6 {
      let count = try number(4)
      guard (0...Int64(bytes.count)).contains(count) else { throw TimeZoneError("a count is out of range") }
      counts.append(Int(count))
    }
    guard counts[4] > 0 else { throw TimeZoneError("it has no kind of time") }
    return ZoneFileHeader(version: version, counts: counts)
  }

  /// The offset before the first transition, and the transitions.
  mutating func block(
    _ header: ZoneFileHeader, width: Int
  ) throws(TimeZoneError) -> (first: Int64, [TimeZoneRules.Transition]) {
    guard header.counts[2] == 0 else {
      throw TimeZoneError("it counts leap seconds; expected a zone without them")
    }
    let end = position
    _ = try take(header.length(width: width))
    position = end
    var times: [Int64] = []
    for _ in 0..<header.transitions { times.append(try number(width)) }
    let kinds = try take(header.transitions)
    var offsets: [Int64] = []
    for _ in 0..<header.kinds {
      let offset = try number(4)
      guard (-93_599...93_599).contains(offset) else { throw TimeZoneError("an offset of \(offset) s is out of range") }
      offsets.append(offset)
      _ = try take(2)
    }
    _ = try take(header.length(width: width) - header.transitions * (width + 1) - header.kinds * 6)
    var transitions: [TimeZoneRules.Transition] = []
    for (time, kind) in zip(times, kinds) {
      guard Int(kind) < offsets.count else { throw TimeZoneError("a transition has a kind of time that is not there") }
      guard transitions.last.map({ $0.at < time }) ?? true else {
        throw TimeZoneError("its transitions are not in order")
      }
      transitions.append(TimeZoneRules.Transition(at: time, offset: offsets[Int(kind)]))
    }
    return (offsets[0], transitions)
  }

  /// The rule between two line feeds.
  mutating func footer() throws(TimeZoneError) -> ArraySlice<UInt8> {
    let feed = UInt8(ascii: "\n")
    guard try take(1).first == feed, let end = bytes[position...].firstIndex(of: feed) else {
      throw TimeZoneError("it has no line with the rule after its last transition")
    }
    return try take(end - position)
  }
}
