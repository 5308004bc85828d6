import ZoneKitRecords
import ZoneKitTables
import ZoneKitWire

/// What a server has that a fault names, at one time. It decides whether the fault can hit anything.
package struct FaultReach {
  /// How pushes reach a device.
  package enum PushWay: Hashable, Sendable {
    /// As notifications of the push service.
    case notifications
    /// As events of the channels of a realtime socket.
    case events
  }

  /// How pushes reach each known device that the fault names, by the name in the fault. No way is known for a device that
  /// has not connected yet.
  package var devices: [String: Set<PushWay>] = [:]
  /// The tables; nil if the server has none.
  package var schema: TableSchema?
  /// The IDs of all subscriptions.
  package var subscriptions: Set<String> = []
  /// The zones of records and documents.
  package var zones: Set<Name> = []
  /// The names of the accounts: identifiers and e-mail addresses.
  package var users: Set<Name> = []
  /// The records among those that the fault names.
  package var records: Set<Name> = []

  /// A server without anything.
  package init() {}

  /// Why a fault cannot hit anything now; nil if it can.
  package func note(on fault: Fault) -> String? {
    missingDevice(fault.scope) ?? misfitTable(fault) ?? misfitReceiver(fault) ?? missingPart(fault.scope)
      ?? laterSubscriptions(fault)
  }

  private func missingDevice(_ scope: FaultScope) -> String? {
    [scope.receiver, scope.author, scope.deviceID].compactMap(\.self).first { devices[$0] == nil }
      .map { "no device \($0) is known here yet; the fault waits for one" }
  }

  private func misfitTable(_ fault: Fault) -> String? {
    if schema == nil, fault.kinds.allSatisfy({ $0.table != nil }) { return "this server has no tables" }
    guard let name = fault.scope.table else { return nil }
    guard let table = schema?.table(name) else { return "there is no table \(name)" }
    let isOfEvents = fault.action.isOfPushes || fault.kinds == [.table(.changeEvent)]
    return isOfEvents && table.quiet == nil ? "changes of \(name) make no events; the fault can hit nothing" : nil
  }

  /// A push that does not reach its receiver in the way that the fault names.
  private func misfitReceiver(_ fault: Fault) -> String? {
    let scope = fault.scope
    guard fault.action.isOfPushes, let receiver = scope.receiver, let ways = devices[receiver], ways.count == 1 else {
      return nil
    }
    let isOfNotifications =
      scope.subscriptionID != nil || scope.zoneName != nil || !fault.kinds.contains(.table(.changeEvent))
    let isOfEvents = scope.topic != nil || scope.table != nil || !fault.kinds.contains(.push)
    if ways == [.events], isOfNotifications {
      return "\(receiver) gets events of channels, which have no ID, zone or subscription; the fault can hit nothing"
    }
    if ways == [.notifications], isOfEvents {
      return "\(receiver) gets notifications of the push service and no events of channels; the fault can hit nothing"
    }
    return nil
  }

  private func missingPart(_ scope: FaultScope) -> String? {
    if let id = scope.subscriptionID, !subscriptions.contains(id) {
      return "there is no subscription \(id) yet; the fault waits for one"
    }
    if let zone = scope.zoneName, !zones.contains(zone) {
      return "there is no zone \(zone) yet; the fault waits for one"
    }
    if let user = scope.user, !users.contains(user) {
      return "no account \(user) has data here yet; the fault waits for one"
    }
    guard let names = scope.recordNames, records.isDisjoint(with: names) else { return nil }
    let list = names.map(\.text).joined(separator: ", ")
    return "there is no record \(list) yet; the fault waits for one"
  }

  private func laterSubscriptions(_ fault: Fault) -> String? {
    guard [.forgetSubscriptions, .muteSubscriptions].contains(fault.action), !subscriptions.isEmpty else { return nil }
    return
      "acts on subscriptions that are saved from now on, not on the \(subscriptions.count.counted("subscription")) "
      + "that exist; dropSubscription and muteSubscription of /zonekit/administration act on those"
  }
}

extension Fault {
  /// The kinds of requests and pushes that the fault can hit.
  fileprivate var kinds: [FaultKind] { scope.kinds ?? action.fittingKinds }
}
