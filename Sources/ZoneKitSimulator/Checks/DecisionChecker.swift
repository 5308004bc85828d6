import ZoneKitRecords
import ZoneKitSync

/// A conflict is decided as the app's rule says, and every device journals the same decision.
package struct DecisionChecker: Sendable {
  /// What the app has against a decision, in a sentence; nil where the decision is right.
  private let judge: @Sendable (ConflictEntry) -> String?
  /// The decisions as those reported them who took them, by their IDs; nil for one that was taken more than once.
  private var own: [String: ConflictEntry?] = [:]
  /// Whether any device ever got another disk, so that there may be two of one ID.
  private var hasCopies = false
  /// The decisions that each device took and has not forgotten since, by their IDs, with the account.
  package private(set) var taken: [String: [String: Name]] = [:]

  /// A checker before anything happened.
  package init(judge: @escaping @Sendable (ConflictEntry) -> String?) { self.judge = judge }

  /// Takes in what happened next on any device. Returns what breaks the invariant.
  /// - Parameter model: What users wrote so far.
  package mutating func take(_ entry: LogEntry, _ model: ReferenceModel) -> [Finding] {
    switch entry.event {
    case .diskReplaced:
      hasCopies = true
      taken[entry.device.name] = nil
    case .fact(.reset), .fact(.accountChanged): taken[entry.device.name] = nil
    case .fact(.conflict(let decision)):
      let device = entry.device
      guard decision.decidedBy == device.deviceID else { return [reported(decision, by: device)].compactMap { $0 } }
      if let account = device.account { taken[device.name, default: [:]][decision.id] = account }
      // Two versions can meet twice, on different devices, and share an ID: who reports which is not known then.
      own[decision.id] = own.keys.contains(decision.id) ? .some(nil) : decision
      return [unkept(decision, device), undeleted(decision, device, model)].compactMap { $0 }
        + (judge(decision).map { [Finding(.decision, $0)] } ?? [])
    default: break
    }
    return []
  }

  /// A merge changes the device's version.
  private func unkept(_ decision: ConflictEntry, _ device: DeviceSnapshot) -> Finding? {
    guard decision.winner == .merged, decision.local != nil, !hasCopies,
      device.record(decision.recordID)?.local == decision.local
    else { return nil }
    return Finding(
      .decision,
      "a conflict about \(decision.recordID.words) left the device's version, and the journal says both")
  }

  /// A conflict with a deletion needs a deletion.
  private func undeleted(_ decision: ConflictEntry, _ device: DeviceSnapshot, _ model: ReferenceModel) -> Finding? {
    let id = decision.recordID
    // What was written before anybody signed in has its history there, and what went with a zone is noted there too.
    let wasNobodys = model.histories[RecordKey(account: nil, id: id)] != nil
    guard decision.winner != .none, decision.server == nil, !wasNobodys,
      model.isUndeleted(RecordKey(account: device.account, id: id))
    else { return nil }
    return Finding(.decision, "a conflict with the deletion of \(id.words) was decided, and nobody deleted it")
  }

  /// A device learns of a decision about its own version: it sees the decision from its side.
  private func reported(_ decision: ConflictEntry, by device: DeviceSnapshot) -> Finding? {
    guard let own = own[decision.id] ?? nil, own.decidedBy == decision.decidedBy,
      own.serverDeviceID == device.deviceID, let winner = own.winnerFromAcross, winner != decision.winner
    else { return nil }
    return Finding(
      .decision,
      "of the decision about \(decision.recordID.words), in which its version met another, it keeps the other side")
  }
}

extension ConflictEntry {
  /// Who won, as seen from the other side; nil where nobody won.
  fileprivate var winnerFromAcross: Winner? {
    switch winner {
    case .local: .server
    case .server: .local
    case .merged, .none: nil
    }
  }
}
