import ZoneKitRecords

/// A purge of documents by an administrator, as a body of a request to `/zonekit/administration`.
package struct DocumentAdministration: Hashable, Sendable {
  private static let word = "purgeDocuments"
  private static let times = ["deletedBefore", "conflictsBefore", "tombstonesBefore"]

  /// The account; nil for all accounts.
  package var user: Name?
  /// Documents that were deleted before that time become tombstones.
  package var deletedBefore: WallTime
  /// Conflicts that were decided before that time become tombstones.
  package var conflictsBefore: WallTime
  /// Tombstones that were made before that time are forgotten.
  package var tombstonesBefore: WallTime
  /// Whether nothing is changed, and only counted.
  package var isDryRun: Bool

  /// A purge of the documents of an account, or of all accounts if none is named.
  package init(
    of user: Name?, deletedBefore: WallTime, conflictsBefore: WallTime, tombstonesBefore: WallTime, isDryRun: Bool
  ) {
    self.user = user
    self.deletedBefore = deletedBefore
    self.conflictsBefore = conflictsBefore
    self.tombstonesBefore = tombstonesBefore
    self.isDryRun = isDryRun
  }

  /// Parses a body, as in `{"do":"purgeDocuments","deletedBefore":"2026-11-21T08:00:00Z",…}`. Nil if the operation is
  /// another one.
  package init?(parsing body: [UInt8]) throws(MemberError) {
    let json = try JSON(controlling: body)
    guard json["do"]?.string == Self.word else { return nil }
    let members = try JSONMembers(json, at: "administration", known: ["do", "user", "dryRun"] + Self.times)
    let times = try Self.times.map(members.requiredTime)
    self.init(
      of: try members.text("user").map { Name($0) }, deletedBefore: times[0], conflictsBefore: times[1],
      tombstonesBefore: times[2], isDryRun: json["dryRun"]?.bool ?? false)
  }

  /// The body from which `init(parsing:)` makes the same operation.
  package var json: JSON {
    JSON(known: [
      "do": .string(Self.word), "dryRun": .bool(isDryRun), "deletedBefore": .string(deletedBefore.iso8601),
      "conflictsBefore": .string(conflictsBefore.iso8601), "tombstonesBefore": .string(tombstonesBefore.iso8601),
      "user": user.map { .string($0.text) },
    ])
  }
}
