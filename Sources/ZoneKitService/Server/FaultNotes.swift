import ZoneKitCloud
import ZoneKitPush
import ZoneKitRecords
import ZoneKitTables

/// Collects what a server has that the faults of its plan name.
struct FaultNotes {
  /// The names of devices.
  let names: DeviceNames
  /// The app of the tables; nil if the server has none.
  let tables: TableApp?
  /// The push service.
  let push: PushService
  /// The sockets of channels; nil if the server has no tables.
  let sockets: RealtimeService?
  /// The e-mail address of an account; nil for any other user.
  let email: (Name) -> String?
  /// Whether a zone has a record, or a tombstone of it.
  let hasRecord: (Name, ZoneKey) -> Bool

  /// Why a fault cannot hit anything now; nil if it can.
  func note(on fault: Fault, _ statuses: [DatabaseStatus]) -> String? {
    let scope = fault.scope
    var reach = FaultReach()
    reach.schema = tables?.schema
    for device in [scope.receiver, scope.author, scope.deviceID].compactMap(\.self) {
      reach.devices[device] = ways(to: device)
    }
    reach.subscriptions = Set(statuses.flatMap(\.state.subscriptions).map(\.subscriptionID) + [PushGateway.watchID])
    let users = statuses.map(\.database.user)
    reach.users = Set(users + users.compactMap { email($0).map { Name($0) } })
    reach.users.formUnion(push.gateway.receivers.compactMap(\.user))
    for status in statuses {
      let zones = status.zones.filter { !$0.isDeleted }.map(\.zoneName)
      // Requests and events of tables name no zone.
      if status.database.container != tables?.container { reach.zones.formUnion(zones) }
      for name in scope.recordNames ?? [] {
        let keys = zones.map { ZoneKey(database: status.database, zoneName: $0) }
        if keys.contains(where: { hasRecord(name, $0) }) { reach.records.insert(name) }
      }
    }
    return reach.note(on: fault)
  }

  /// How pushes reach a device; nil if it is unknown.
  private func ways(to device: String) -> Set<FaultReach.PushWay>? {
    var ways = names.pushWays(to: device)
    if push.gateway.knows(device) { ways = (ways ?? []).union([.notifications]) }
    if sockets?.knows(device) == true { ways = (ways ?? []).union([.events]) }
    return ways ?? (names.knows(device) ? [] : nil)
  }
}
