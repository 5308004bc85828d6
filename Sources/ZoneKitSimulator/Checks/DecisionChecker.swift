import ZoneKitRecords
import ZoneKitSync

/// A conflict is decided by the app's rule, and every device has the same decision in its journal.
package struct DecisionChecker: Sendable {
  /// The kinds of events that it reads.
  package static let reads = LogEventKinds(events: [.diskReplaced], facts: [.reset, .accountChanged, .conflict])

  /// Returns what is wrong with a decision, as a sentence; nil if it is right.
  private let judge: @Sendable (ConflictEntry) -> String?
  /// The decisions as reported by the deciding devices, by ID; nil for one that was made more than once.
  private var own: [String: ConflictEntry?] = [:]
  /// Whether a device ever got another disk, so that two devices may have one device ID.
  private var hasCopies = false
  /// The decisions that each device made and has not forgotten since, by ID, with the account.
  package private(set) var taken: [String: [String: Name]] = [:]

  /// A checker at the start of a log.
  package init(judge: @escaping @Sendable (ConflictEntry) -> String?) { self.judge = judge }

  /// The journal of an account was purged.
  mutating func purged(_ account: Name) {
    for device in taken.keys { taken[device] = taken[device]?.filter { $0.value != account } }
  }

  /// The next entry of the log of any device was read. Returns the violations.
  /// - Parameter model: What users have written so far.
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
      // Two versions can conflict twice, on different devices, with one ID. Then it is unknown which of the decisions
      // is reported.
      own[decision.id] = own.keys.contains(decision.id) ? .some(nil) : decision
      return [unkept(decision, device), undeleted(decision, device, model)].compactMap { $0 }
        + (judge(decision).map { [Finding(.decision, $0)] } ?? [])
    default: break
    }
    return []
  }

  /// The violation if a merge did not change the device's version.
  private func unkept(_ decision: ConflictEntry, _ device: DeviceSnapshot) -> Finding? {
    guard decision.winner == .merged, decision.local != nil, !hasCopies,
      device.record(decision.recordID)?.local == decision.local
    else { return nil }
    return Finding(
      .decision,
      "a conflict about \(decision.recordID.words) left the device's version, and the journal says both")
  }

  /// The violation if the entry has a deletion as one version and the record was not deleted.
  private func undeleted(_ decision: ConflictEntry, _ device: DeviceSnapshot, _ model: ReferenceModel) -> Finding? {
    let id = decision.recordID
    // Edits that were made while signed out have their history without an account, also after their zone was removed.
    let wasNobodys = model.histories[RecordKey(account: nil, id: id)] != nil
    guard decision.winner != .none, decision.server == nil, !wasNobodys,
      model.isUndeleted(RecordKey(account: device.account, id: id))
    else { return nil }
    return Finding(.decision, "a conflict with the deletion of \(id.words) was decided, and nobody deleted it")
  }

  /// The violation if a device gets a different decision about its own version. The device's entry has the view of its
  /// side.
  private func reported(_ decision: ConflictEntry, by device: DeviceSnapshot) -> Finding? {
    // The same device may decide the same two versions again when a third device has offered one of them. The report is
    // then about that one's version.
    guard decision.serverDeviceID == decision.decidedBy || decision.serverDeviceID == device.deviceID,
      let own = own[decision.id] ?? nil, own.decidedBy == decision.decidedBy,
      own.serverDeviceID == device.deviceID, let winner = own.winnerFromAcross, winner != decision.winner
    else { return nil }
    return Finding(
      .decision,
      "the decision \(decision.id) of \(own.decidedBy) about \(decision.recordID.words) has \(own.winner.rawValue) by "
        + "\(own.rule) as the winner, and \(decision.winner.rawValue) by \(decision.rule) on the device whose version it was: "
        + RecordContent.comparison(of: decision.recordID, own.local, "one side", own.server, "the other"))
  }
}

extension ConflictEntry {
  /// The winner from the view of the other side; nil for none.
  fileprivate var winnerFromAcross: Winner? {
    switch winner {
    case .local: .server
    case .server: .local
    case .merged, .none: nil
    }
  }
}
