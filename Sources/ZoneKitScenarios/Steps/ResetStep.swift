/// A scripted reset.
package enum ResetStep: Hashable, Sendable {
  /// `reset the local store of A keeping pending`.
  case local(String, keepingPending: Bool)
  /// `reset the tokens of A`.
  case tokens(String)
  /// `reset the zone of A`'s account, or `reset zone "x" of account nanny`: all its records are deleted with ordinary
  /// tombstones.
  case zone(String?, of: Holder)
  /// `reset the cloud`: the same in all zones.
  case cloud

  /// The values of its sentence by the labels of the slots.
  var values: SlotValues {
    switch self {
    case .local(let device, let keeping): ["device": .name(device), "keeping": .flag(keeping)]
    case .tokens(let device): ["device": .name(device)]
    case .zone(let zone, let holder): ["name": .quoted(zone), "holder": .holder(holder)]
    case .cloud: [:]
    }
  }
}
