import ZoneKitRecords
import ZoneKitCloud
import ZoneKitStorage
import ZoneKitTables

/// The zones, subscriptions and registrations in the diagnostics dump, from a running server or from files.
package enum CloudReport {
  /// The members of the dump's `cloud` that come from files. `email` is the e-mail address of a user whose name is an
  /// account's identifier; nil for any other user.
  package static func members(
    _ statuses: [DatabaseStatus], email: (Name) -> String? = { _ in nil }
  ) -> [JSON.Member] {
    [
      JSON.Member(
        "zones",
        .array(
          statuses.flatMap { status in
            let account = email(status.database.user)
            return status.zones.map { zone($0, in: status.database, account: account) }
          })),
      JSON.Member("subscriptions", .array(statuses.flatMap(subscriptions))),
      JSON.Member("registrations", .array(statuses.flatMap(registrations))),
      JSON.Member("unreadable", .array(statuses.flatMap(unreadable))),
      JSON.Member("renewed", .array(statuses.flatMap(renewed))),
    ]
  }

  /// The member `tables`: the numbers of rows of a user's own tables. None without such tables.
  static func tables(in data: DataDirectory) throws(StoreError) -> [JSON.Member] {
    guard let counts = try RelationCounts(root: data.cloud, app: .own) else { return [] }
    return [
      JSON.Member(
        "tables", .object(counts.tables.map { JSON.Member($0.name, .integer(Int64($0.rows))) }))
    ]
  }

  /// The files that cannot be read, in words.
  static func errors(_ statuses: [DatabaseStatus]) -> [String] {
    statuses.flatMap(\.findings).compactMap { finding in
      guard case .unreadable(_, let error) = finding else { return nil }
      return "\(error)"
    }
  }

  /// The files that cannot be read. A file of the database itself has no zone.
  private static func unreadable(_ status: DatabaseStatus) -> [JSON] {
    status.findings.compactMap { finding in
      guard case .unreadable(let zone, let error) = finding else { return nil }
      return .object(
        status.database.members + [
          JSON.Member("zone", zone.map { .string($0.text) } ?? .null), JSON.Member("file", .string(error.place)),
          JSON.Member("reason", .string(error.message)),
        ])
    }
  }

  /// The zones whose files lacked answered commits when they were opened.
  private static func renewed(_ status: DatabaseStatus) -> [JSON] {
    status.findings.compactMap { finding in
      guard case .renewed(let zone, let renewed) = finding else { return nil }
      return .object(
        status.database.members + [
          JSON.Member("zone", .string(zone.text)), JSON.Member("file", .string(renewed.place)),
          JSON.Member("sequence", .integer(renewed.sequence)),
          JSON.Member("knownSequence", .integer(renewed.knownSequence)),
        ])
    }
  }

  private static func zone(_ header: ZoneHeader, in database: DatabaseID, account: String?) -> JSON {
    .object(
      database.members
        + [JSON.Member](known: [
          "name": .string(header.zoneName.text), "records": .integer(Int64(header.recordCount)),
          "tombstones": .integer(Int64(header.tombstoneCount)), "sequence": .integer(header.sequence),
          "lastCommitAt": .string(header.lastCommitAt.iso8601), "deleted": .bool(header.isDeleted),
          "account": account.map { .string($0) },
        ]))
  }

  private static func subscriptions(_ status: DatabaseStatus) -> [JSON] {
    status.state.subscriptions.map { subscription in
      let kind: String
      switch subscription.kind {
      case .database: kind = "database"
      case .zone(let zoneID): kind = "zone \(zoneID.zoneName)"
      case .query(let query):
        kind = "query of \(query.query.recordType)\(query.zoneID.map { " in zone \($0.zoneName)" } ?? "")"
      }
      return .object(
        status.database.members + [
          JSON.Member("id", .string(subscription.subscriptionID)), JSON.Member("kind", .string(kind)),
          JSON.Member(
            "silent", .bool(subscription.notificationInfo.map { $0.shouldSendContentAvailable } ?? false)),
        ])
    }
  }

  private static func registrations(_ status: DatabaseStatus) -> [JSON] {
    status.state.registrations.map { registration in
      .object(
        status.database.members + [
          JSON.Member("device", registration.deviceID.map(JSON.string) ?? .null),
          JSON.Member("token", .string(registration.shortToken)),
        ])
    }
  }
}
