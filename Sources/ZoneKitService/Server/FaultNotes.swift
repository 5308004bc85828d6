import ZoneKitCloud
import ZoneKitPush
import ZoneKitRecords
import ZoneKitTables

/// Says which faults of a plan cannot hit anything as the server is now.
struct FaultNotes {
  /// The names of devices.
  let names: DeviceNames
  /// The tables; nil if the server has none.
  let schema: TableSchema?
  /// The push service.
  let push: PushService
  /// The sockets of channels; nil if the server has no tables.
  let sockets: RealtimeService?

  /// Why a fault cannot hit anything now; nil if it can.
  func note(on fault: Fault, _ statuses: [DatabaseStatus]) -> String? {
    let scope = fault.scope
    for device in [scope.receiver, scope.author, scope.deviceID].compactMap(\.self) where !knows(device) {
      return "no device \(device) is known here yet; the fault waits for one"
    }
    let kinds = fault.kinds
    if schema == nil, !kinds.isEmpty, kinds.allSatisfy({ $0.table != nil }) { return "this server has no tables" }
    if let table = scope.table, schema?.table(table) == nil { return "there is no table \(table)" }
    let subscriptions = statuses.flatMap(\.state.subscriptions).map(\.subscriptionID)
    if let id = scope.subscriptionID, id != PushGateway.watchID, !subscriptions.contains(id) {
      return "there is no subscription \(id) yet; the fault waits for one"
    }
    switch fault.action {
    case .forgetSubscriptions, .muteSubscriptions:
      guard !subscriptions.isEmpty else { return nil }
      return
        "acts on subscriptions that are saved from now on, not on the \(subscriptions.count.counted("subscription")) "
        + "that exist; dropSubscription and muteSubscription of /zonekit/administration act on those"
    default: return nil
    }
  }

  private func knows(_ device: String) -> Bool {
    names.knows(device) || push.gateway.knows(device) || sockets?.knows(device) ?? false
  }
}

extension Fault {
  /// The kinds of requests and pushes that the fault can hit.
  fileprivate var kinds: [FaultKind] {
    if let kinds = scope.kinds { return kinds }
    if case .table(let action) = action { return action.kinds.map { .table($0) } }
    return []
  }
}
