import ZoneKitRecords

/// IDs for rows that have none: version 8 UUIDs (RFC 9562, 5.8) that depend on nothing but the row, so that a repeat makes
/// the same ones.
enum StableID {
  /// The ID for a row with those parts.
  static func of(_ parts: [String]) -> UUID {
    let hash = FNV1a.hash(Array(parts.map { Array($0.utf8) }.joined(separator: [0xFF])))
    return UUID(
      high: UInt64(truncatingIfNeeded: hash >> 64), low: UInt64(truncatingIfNeeded: hash), version: 8)
  }
}
