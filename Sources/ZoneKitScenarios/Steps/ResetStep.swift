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

  /// The line from which the parser makes this step.
  package var text: String {
    switch self {
    case .local(let device, let keeping): "reset the local store of \(device)\(keeping ? " keeping pending" : "")"
    case .tokens(let device): "reset the tokens of \(device)"
    case .zone(let zone, let holder): "reset \(ZoneStep.zone(zone)) of \(holder.text)"
    case .cloud: "reset the cloud"
    }
  }
}
