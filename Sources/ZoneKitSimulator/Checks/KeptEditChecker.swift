import ZoneKitRecords
import ZoneKitSync

/// A device keeps what its app wrote. Edits that were made while signed out go to the first account if the app wants
/// that.
package struct KeptEditChecker: DeviceChecker {
  /// See `DeviceChecker`.
  package static let reads = LogEventKinds(events: [.wrote], facts: [.accountChanged])

  /// The field that the device itself sets.
  private let stampField: Name?
  /// Puts a stamp into the parts of a record; nil if parts have none.
  private let stampParts: (@Sendable (Fields, Fields?, WallTime) -> Fields)?
  /// Whether edits that were made while signed out are uploaded.
  private let isUploading: Bool

  /// A checker at the start of a log.
  package init(_ configuration: CoordinatorConfiguration) {
    stampField = configuration.merging.stampField
    stampParts = configuration.merging.stampParts
    isUploading = configuration.merging.signInRule == .upload
  }

  /// See `DeviceChecker`.
  package mutating func take(_ entry: LogEntry, _ history: DeviceHistory) -> Finding? {
    switch entry.event {
    case .wrote(let edits): return finding(in: edits, entry.device)
    case .fact(.accountChanged(from: nil, _, let discarded)):
      guard discarded > 0, isUploading else { return nil }
      return Finding(
        .lostEdit,
        "\(discarded) edits from before anybody signed in were set aside, where the app wants them uploaded")
    default: return nil
    }
  }

  private func finding(in edits: [RecordEdit], _ device: DeviceSnapshot) -> Finding? {
    for (index, edit) in edits.enumerated()
    where !edits[(index + 1)...].contains(where: { $0.recordID == edit.recordID }) && !isKept(edit, on: device) {
      return Finding(.lostEdit, "an edit of record \(edit.recordID.words) was not kept")
    }
    return nil
  }

  private func isKept(_ edit: RecordEdit, on device: DeviceSnapshot) -> Bool {
    let local = device.record(edit.recordID)?.local
    switch edit {
    case .delete: return local == nil
    case .repair: return true
    case .save(_, _, let fields, let parent, let stamping):
      var stamps = stampField.map { [$0] } ?? []
      if case .nowAlso(let others) = stamping { stamps += others }
      return local?.parent == parent
        && stampedAlike(local?.fields.without(stamps)) == stampedAlike(EncodedFields(fields).without(stamps))
    }
  }

  /// The fields with one and the same stamp in all parts, so that stamps make no difference.
  private func stampedAlike(_ fields: Fields?) -> Fields? {
    guard let fields, let stampParts else { return fields }
    return stampParts(fields, nil, WallTime(milliseconds: 0))
  }
}
