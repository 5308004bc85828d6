import Records

/// What a change token says, for the cloud that wrote it: which feed, which incarnation of it, and how far.
struct FeedToken: Hashable {
  /// Which feed the token goes on with, and in which direction.
  enum Kind: UInt8 {
    case zone = 0x5A
    case zoneReversed = 0x7A
    case database = 0x44
  }

  var kind: Kind
  /// The zone's incarnation or the database's identity.
  var identity: UInt64
  /// The sequence of the last entry read.
  var position: Int64

  /// One byte for the version, one for the kind, eight each for identity and position, six of a hash over them: 24
  /// bytes, which base64 writes without padding.
  private static let version: UInt8 = 0xC1
  private static let length = 24

  /// The newest position of a zone.
  static func current(of zone: ZoneHeader) -> FeedToken {
    FeedToken(kind: .zone, identity: zone.incarnation, position: zone.sequence)
  }

  /// The token as clients get it.
  var changeToken: ChangeToken {
    let content = [Self.version, kind.rawValue] + identity.bigEndianBytes + UInt64(bitPattern: position).bigEndianBytes
    return ChangeToken(Base64.encode(content + Self.checksum(content)))
  }

  /// The token that a text holds, or nil where it is empty, which means the same as none (CloudKit Web Services, c.6).
  /// Throws `invalidArguments` with the words of the live service: for what never was a token of one of these kinds,
  /// and for what was one and is cut off or altered.
  static func read(_ token: ChangeToken?, as kinds: [Kind]) throws(CloudError) -> FeedToken? {
    guard let text = token?.text, !text.isEmpty else { return nil }
    let whole = text.utf8.prefix(text.utf8.count / 4 * 4)
    guard let bytes = Base64.decode(String(decoding: whole, as: UTF8.self)), bytes.count >= 2, bytes[0] == version,
      let kind = Kind(rawValue: bytes[1]), kinds.contains(kind)
    else { throw CloudError(.invalidArguments, "Unknown sync continuation type") }
    let content = Array(bytes.prefix(length - 6))
    guard whole.count == text.utf8.count, bytes.count == length, Array(bytes.suffix(6)) == checksum(content) else {
      throw CloudError(.invalidArguments, "Invalid continuation format")
    }
    return FeedToken(
      kind: kind, identity: UInt64(bigEndianBytes: content[2..<10]),
      position: Int64(bitPattern: UInt64(bigEndianBytes: content[10..<18])))
  }

  /// Six bytes of the 64-bit FNV-1a hash: against accidents, not against forgery.
  private static func checksum(_ bytes: [UInt8]) -> [UInt8] {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    return Array(hash.bigEndianBytes.prefix(6))
  }
}

extension UInt64 {
  fileprivate var bigEndianBytes: [UInt8] {
    stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: self >> UInt64($0)) }
  }

  fileprivate init(bigEndianBytes bytes: ArraySlice<UInt8>) {
    self = bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }
}
