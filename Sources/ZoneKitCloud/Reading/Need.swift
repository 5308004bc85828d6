import ZoneKitRecords

/// Something that has to be read from the store before a request can be evaluated.
package enum Need: Hashable, Sendable {
  /// A database's own state.
  case database(DatabaseID)
  /// The headers of all zones of a database.
  case zones(of: DatabaseID)
  /// The header of a zone.
  case zone(ZoneKey)
  /// Records of a zone, or their tombstones.
  case records([Name], in: ZoneKey)
  /// The binding references to records of a zone.
  case references(to: [Name], in: ZoneKey)
  /// Records of a zone, those that depend on them, those that depend on these, and so on, with the binding references to
  /// each of them.
  case dependents(of: [Name], by: Dependence, in: ZoneKey)
  /// The field definitions of record types of a zone.
  case schema(of: [Name], in: ZoneKey)
  /// The sizes of assets with those checksums in the database of a zone.
  case assets([String], in: ZoneKey)
  /// The position of a time in the feed of a zone whose stamps rise.
  case sequence(through: WallTime, in: ZoneKey)
  /// The answer to a query for records of a zone.
  case matches(RecordQuery, in: ZoneKey)
  /// A page of a zone's feed.
  case feed(FeedQuery, in: ZoneKey)
}
