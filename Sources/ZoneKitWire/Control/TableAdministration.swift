import ZoneKitRecords

/// An operation of an administrator on the rows of tables, as a body of a request to `/zonekit/administration`.
package enum TableAdministration: Hashable, Sendable {
  /// Removes for good the rows that were deleted before that time; those of all accounts if none is named.
  case purgeRows(user: String?, before: WallTime, isDryRun: Bool)
  /// Removes for good the rows of those records of an account.
  case removeRows(user: String, records: [Name])
  /// Forgets the deletions of an account; of all accounts if none is named.
  case raiseHorizon(user: String?)
  /// Removes for good the rows and objects of accounts that do not exist.
  case removeOrphans(isDryRun: Bool)

  private static let purgeWord = "purgeRows"
  private static let removeWord = "removeRows"
  private static let raiseWord = "raiseHorizon"
  private static let orphansWord = "removeOrphans"

  /// Parses a body, as in `{"do":"purgeRows","before":"2026-11-21T08:00:00Z"}`. Nil if the operation is none on rows.
  package init?(parsing body: [UInt8]) throws(MemberError) {
    let json = try JSON(controlling: body)
    let user = "the e-mail address or the identifier of an account"
    switch json["do"]?.string {
    case Self.purgeWord:
      let members = try JSONMembers(json, at: "administration", known: ["do", "user", "before", "dryRun"])
      let before = try members.requiredTime("before")
      self = .purgeRows(user: try members.text("user"), before: before, isDryRun: json["dryRun"]?.bool ?? false)
    case Self.removeWord:
      let members = try JSONMembers(json, at: "administration", known: ["do", "user", "records"])
      let records = try members.texts("records") ?? []
      guard !records.isEmpty else { throw members.wrong("records", "must name records, such as persons/<uuid>") }
      self = .removeRows(user: try members.required("user", user), records: records.map { Name($0) })
    case Self.raiseWord:
      let members = try JSONMembers(json, at: "administration", known: ["do", "user"])
      self = .raiseHorizon(user: try members.text("user"))
    case Self.orphansWord:
      _ = try JSONMembers(json, at: "administration", known: ["do", "dryRun"])
      self = .removeOrphans(isDryRun: json["dryRun"]?.bool ?? false)
    default: return nil
    }
  }

  /// The account that the operation names; nil for all accounts.
  package var user: String? {
    switch self {
    case .purgeRows(let user, _, _), .raiseHorizon(let user): user
    case .removeRows(let user, _): user
    case .removeOrphans: nil
    }
  }

  /// The body from which `init(parsing:)` makes the same operation.
  package var json: JSON {
    switch self {
    case .purgeRows(let user, let before, let isDryRun):
      JSON(known: [
        "do": .string(Self.purgeWord), "before": .string(before.iso8601), "dryRun": .bool(isDryRun),
        "user": user.map { .string($0) },
      ])
    case .removeRows(let user, let records):
      ["do": .string(Self.removeWord), "records": .array(records.map { .string($0.text) }), "user": .string(user)]
    case .raiseHorizon(let user): JSON(known: ["do": .string(Self.raiseWord), "user": user.map { .string($0) }])
    case .removeOrphans(let isDryRun): ["do": .string(Self.orphansWord), "dryRun": .bool(isDryRun)]
    }
  }
}
