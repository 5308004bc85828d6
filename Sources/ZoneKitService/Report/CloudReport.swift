import ZoneKitRecords
import ZoneKitCloud

/// The zones, subscriptions and registrations in the diagnostics dump, from a running server or from files.
package enum CloudReport {
  /// The members of the dump's `cloud` that come from files.
  package static func members(_ statuses: [DatabaseStatus]) -> [JSON.Member] {
    [
      JSON.Member("zones", .array(statuses.flatMap { status in status.zones.map { zone($0, in: status.database) } })),
      JSON.Member("subscriptions", .array(statuses.flatMap(subscriptions))),
      JSON.Member("registrations", .array(statuses.flatMap(registrations))),
    ]
  }

  private static func zone(_ header: ZoneHeader, in database: DatabaseID) -> JSON {
    .object(
      database.members + [
        JSON.Member("name", .string(header.zoneName.text)), JSON.Member("records", .integer(Int64(header.recordCount))),
        JSON.Member("tombstones", .integer(Int64(header.tombstoneCount))),
        JSON.Member("sequence", .integer(header.sequence)),
        JSON.Member("lastCommitAt", .string(header.lastCommitAt.iso8601)),
        JSON.Member("deleted", .bool(header.isDeleted)),
      ])
  }

  private static func subscriptions(_ status: DatabaseStatus) -> [JSON] {
    status.state.subscriptions.map { subscription in
      let kind: String
      switch subscription.kind {
      case .database: kind = "database"
      case .zone(let zoneID): kind = "zone \(zoneID.zoneName)"
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
          JSON.Member("token", .string(registration.token)),
        ])
    }
  }
}
