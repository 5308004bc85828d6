import ZoneKitRecords

extension WallTime {
  /// Reads a time as PostgreSQL does: `YYYY-MM-DD`, then `T` or a blank, `HH:MM`, optional seconds with up to nine
  /// digits of a fraction, and a zone as `Z`, `±HH`, `±HHMM` or `±HH:MM`. Without a zone it is UTC. Digits after
  /// the millisecond are cut. Nil for any other text, and for years other than 1 to 9999. In a query an unencoded plus
  /// sign is a blank, and a blank is no sign of a zone.
  package init?(timestamp text: String) {
    // The usual form needs no preparation. Up to this length its fraction has at most nine digits.
    if (20...30).contains(text.utf8.count), let time = WallTime(iso8601: text),
      (Self.earliestWritable...Self.latestWritable).contains(time)
    {
      self = time
      return
    }
    var bytes = Array(text.utf8)
    guard bytes.count >= 10 else { return nil }
    if bytes.count == 10 {
      guard let time = WallTime(iso8601: text) else { return nil }
      self = time
      return
    }
    guard bytes.count >= 16, bytes[10] | 0x20 == UInt8(ascii: "t") || bytes[10] == UInt8(ascii: " ") else { return nil }
    bytes[10] = UInt8(ascii: "T")
    let zoneStart = bytes[16...].firstIndex { Self.beginsZone($0) } ?? bytes.count
    guard let zone = Self.zone(bytes[zoneStart...]) else { return nil }
    var clock = Array(bytes[..<zoneStart])
    if clock.count == 16 { clock += Array(":00".utf8) }
    // A fraction has one to nine digits.
    guard clock.count <= 29, let time = WallTime(iso8601: String(decoding: clock + zone, as: UTF8.self)),
      (Self.earliestWritable...Self.latestWritable).contains(time)
    else { return nil }
    self = time
  }

  private static func beginsZone(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") || byte | 0x20 == UInt8(ascii: "z")
  }

  /// The zone in the form `±HH:MM`; nil if it is no zone.
  private static func zone(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    guard let sign = text.first else { return Array("Z".utf8) }
    let digits = text.dropFirst()
    if sign | 0x20 == UInt8(ascii: "z") { return digits.isEmpty ? Array("Z".utf8) : nil }
    let plain = digits.filter { $0 != UInt8(ascii: ":") }
    let isColonRight =
      plain.count == digits.count || (digits.count == 5 && digits[digits.startIndex + 2] == UInt8(ascii: ":"))
    guard isColonRight, plain.count == 2 || plain.count == 4 else { return nil }
    let minutes = plain.count == 4 ? Array(plain[2...]) : Array("00".utf8)
    return [sign] + plain[..<2] + Array(":".utf8) + minutes
  }
}

extension [UInt8] {
  /// Appends a time as PostgREST writes it: `2026-05-04T07:08:09.120+00:00`.
  package mutating func appendTimestamp(_ time: WallTime) {
    appendISO8601(time)
    append(literal: "+00:00")
  }
}

extension OutputSpan<UInt8> {
  /// Appends a time as PostgREST writes it, in 29 bytes.
  mutating func appendTimestamp(_ time: WallTime) {
    appendISO8601(time)
    append(literal: "+00:00")
  }
}
