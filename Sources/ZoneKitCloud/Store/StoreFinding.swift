import ZoneKitRecords

/// Something about a database's files that its administrator has to know.
package enum StoreFinding: Hashable, Sendable {
  /// The zone cannot be read, or a part of it; a file without a zone if the zone is nil.
  case unreadable(Name?, StoreError)
  /// The zone's file lacked commits that were answered before, so the zone got a new incarnation.
  case renewed(Name, RenewedZone)
}

/// A zone that lost commits.
package struct RenewedZone: Hashable, Sendable {
  /// The path of its file.
  package var place: String
  /// The sequence of the file as it was found.
  package var sequence: Int64
  /// The sequence that the zone had before.
  package var knownSequence: Int64

  /// A zone that was found at that sequence instead of a later one.
  package init(place: String, sequence: Int64, knownSequence: Int64) {
    self.place = place
    self.sequence = sequence
    self.knownSequence = knownSequence
  }
}
