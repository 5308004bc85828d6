import ZoneKitRecords

/// The content of a change token, for the cloud that made it: the feed, its incarnation and the position.
struct FeedToken: Hashable {
  /// The feed of the token and its direction.
  enum Kind: UInt8 {
    case zone = 0x5A
    case zoneReversed = 0x7A
    case database = 0x44
    /// A token of a fetch that began without one and has more pages. Such a fetch does not get all tombstones.
    case zoneFirst = 0x46
  }

  /// The kinds of tokens of zone feeds.
  static let zoneKinds: [Kind] = [.zone, .zoneReversed, .zoneFirst]

  var kind: Kind
  /// The zone's incarnation or the database's identity.
  var identity: UInt64
  /// The sequence of the last entry read.
  var position: Int64
  /// The zone's sequence when the fetch began. Only in `zoneFirst`.
  var start: Int64 = 0

  /// The layout: one byte of version, one of kind, eight each of identity and position, six of a hash over these: 24
  /// bytes, which base64 encodes without padding. A `zoneFirst` token has eight more for its start and one more of the
  /// hash.
  private static let version: UInt8 = 0xC1

  /// A token at the newest position of a zone.
  static func current(of zone: ZoneHeader) -> FeedToken {
    FeedToken(kind: .zone, identity: zone.incarnation, position: zone.sequence)
  }

  /// The token in the form that clients get.
  var changeToken: ChangeToken {
    var content = [Self.version, kind.rawValue] + identity.bigEndianBytes + UInt64(bitPattern: position).bigEndianBytes
    if kind == .zoneFirst { content += UInt64(bitPattern: start).bigEndianBytes }
    return ChangeToken(Base64.encode(content + Self.checksum(content, length: kind.checksumLength)))
  }

  /// Parses a token. Nil for an empty text, which means the same as no token (CloudKit Web Services, c.6). Throws
  /// `invalidArguments` with the texts of the live service for anything that is not an unaltered token of one of these
  /// kinds.
  static func read(_ token: ChangeToken?, as kinds: [Kind]) throws(EvaluationFailure) -> FeedToken? {
    guard let text = token?.unlessEmpty?.text else { return nil }
    let whole = text.utf8.prefix(text.utf8.count / 4 * 4)
    guard let bytes = Base64.decode(String(decoding: whole, as: UTF8.self)), bytes.count >= 2, bytes[0] == version,
      let kind = Kind(rawValue: bytes[1]), kinds.contains(kind)
    else { throw .refused(.invalidArguments, "Unknown sync continuation type") }
    let content = Array(bytes.prefix(kind.contentLength))
    guard whole.count == text.utf8.count, bytes.count == kind.contentLength + kind.checksumLength,
      Array(bytes.suffix(kind.checksumLength)) == checksum(content, length: kind.checksumLength)
    else { throw .refused(.invalidArguments, "Invalid continuation format") }
    return FeedToken(
      kind: kind, identity: UInt64(bigEndianBytes: content[2..<10]),
      position: Int64(bitPattern: UInt64(bigEndianBytes: content[10..<18])),
      start: kind == .zoneFirst ? Int64(bitPattern: UInt64(bigEndianBytes: content[18..<26])) : 0)
  }

  private static func checksum(_ bytes: [UInt8], length: Int) -> [UInt8] {
    Array(Fingerprint.of(bytes).prefix(length))
  }
}

extension FeedToken.Kind {
  fileprivate var contentLength: Int { self == .zoneFirst ? 26 : 18 }
  fileprivate var checksumLength: Int { self == .zoneFirst ? 7 : 6 }
}

extension UInt64 {
  fileprivate var bigEndianBytes: [UInt8] {
    stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: self >> UInt64($0)) }
  }

  fileprivate init(bigEndianBytes bytes: ArraySlice<UInt8>) {
    self = bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }
}
