import ZoneKitRecords

/// A zone that exists.
struct LiveZone {
  var key: ZoneKey
  /// The header; nil for a default zone to which nothing was ever written.
  var header: ZoneHeader?
  /// What the caller may do in it.
  var access: ZoneAccess

  /// A zone; one of the caller's database unless another access is given.
  init(key: ZoneKey, header: ZoneHeader?, access: ZoneAccess? = nil) {
    self.key = key
    self.header = header
    self.access = access ?? .owner(of: key.zoneName)
  }

  /// The zone's header. A default zone without one gets its first header.
  func header(at now: WallTime, using generator: inout some RandomNumberGenerator) -> ZoneHeader {
    header
      ?? ZoneHeader(
        zoneName: key.zoneName, incarnation: generator.next(), sequence: 0, databaseSequence: 0, at: now)
  }
}

/// Records in the form that clients get: a record that is shared with all below it names its share.
extension LiveZone {
  func shown(_ record: StoredRecord) -> Record {
    var shown = record.record
    shown.share = header?.sharing?.share(of: record.recordName)
    return shown
  }

  func shown(_ page: RecordPage) -> RecordPage {
    guard let sharing = header?.sharing, !sharing.entries.isEmpty else { return page }
    return page.sharing { sharing.share(of: $0) }
  }

  /// The results of operations, after which the zone has that header.
  func shown(_ results: [RecordResult], in header: ZoneHeader) -> [RecordResult] {
    guard let sharing = header.sharing, !sharing.entries.isEmpty else { return results }
    return results.map { result in
      guard case .record(var record) = result else { return result }
      record.share = sharing.share(of: record.recordName)
      return .record(record)
    }
  }
}

extension ZoneContent {
  /// The parents of records.
  func parents(of names: [Name]) throws(EvaluationFailure) -> [Name] {
    var parents: [Name] = []
    for name in names { if let parent = try record(name)?.parent { parents.append(parent) } }
    return parents
  }
}
