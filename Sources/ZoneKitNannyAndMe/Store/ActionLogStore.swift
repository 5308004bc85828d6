import ZoneKitRecords
import ZoneKitSync

/// The baby log in the order in which the user sees it: running actions first, then by start, newest first.
///
/// It is a cache of the device's store. A notice of changed records updates it one by one; rebuilding it gives the same
/// result.
package struct ActionLogStore: Hashable, Sendable {
  /// A record that the log cannot show, with the reason.
  package struct Refusal: Hashable, Sendable {
    /// The record.
    package var id: RecordID
    /// The reason.
    package var reason: String
  }

  private var byID: [RecordID: BabyAction] = [:]
  /// The same actions as `byID`.
  private var order = ActionOrder()
  /// Why records make no action.
  private var refusals: [RecordID: String] = [:]

  /// An empty log.
  package init() {}

  /// All actions in the order of the log. Of equal starts the smaller record ID comes first.
  package var actions: ActionOrder.Actions { order.actions }

  /// The records of type BabyAction that are not valid actions, in ascending order of record IDs. They are unchanged in
  /// the store.
  package var refused: [Refusal] {
    refusals.sorted { $0.key < $1.key }.map { Refusal(id: $0.key, reason: $0.value) }
  }

  /// The log from a store, without hidden records.
  package init(rebuiltFrom store: some DeviceStore, leavingOut hidden: [RecordID] = []) throws(StoreError) {
    let hidden = Set(hidden)
    for record in try store.records(ofType: BabyAction.recordType) {
      guard let content = record.local, !hidden.contains(record.recordID) else { continue }
      switch Self.read(content, as: record.recordID) {
      case .success(let action): byID[record.recordID] = action
      case .failure(let refusal): refusals[record.recordID] = refusal.reason
      }
    }
    order = ActionOrder(byID.values)
  }

  /// A record is now this, nil where it is gone. One that is no action is ignored.
  mutating func refresh(_ id: RecordID, _ record: LocalRecord?) {
    remove(id)
    guard let record, record.recordType == BabyAction.recordType, let content = record.local else { return }
    switch Self.read(content, as: id) {
    case .success(let action): insert(action)
    case .failure(let refusal): refusals[id] = refusal.reason
    }
  }

  /// The first `limit` actions of the log; all if nil.
  package func list(_ limit: Int? = nil) -> [BabyAction] {
    Array(actions.prefix(max(0, limit ?? .max)))
  }

  /// The action of that ID.
  package func action(_ id: RecordID) -> BabyAction? { byID[id] }

  /// The first action, by record ID, that another log has otherwise; nil if there is none.
  func firstDifference(from other: ActionLogStore) -> RecordID? {
    Set(byID.keys).union(other.byID.keys).filter { byID[$0] != other.byID[$0] }.min()
  }

  /// The actions whose IDs begin with that text, in uppercase or lowercase, in the order of the log.
  package func actions(withIDPrefix prefix: String) -> [BabyAction] {
    let prefix = Array(prefix.uppercased().utf8)
    return actions.filter { $0.id.recordName.text.utf8.starts(with: prefix) }
  }

  /// The running actions of a profile, newest start first; only those of a category if one is given.
  package func running(of profile: RecordID, in category: Category? = nil) -> [BabyAction] {
    // Running actions are at the start of the log.
    actions.prefix(while: \.isRunning).filter {
      $0.isAction(of: profile) && (category == nil || $0.category == category)
    }
  }

  /// The actions of a profile, in the order of the log.
  package func actions(of profile: RecordID) -> [BabyAction] {
    actions.filter { $0.isAction(of: profile) }
  }

  private static func read(_ content: RecordContent, as id: RecordID) -> Result<BabyAction, RefusedRecord> {
    do throws(StoreError) {
      let fields = try content.fields.decoded()
      return Result { () throws(RefusedRecord) in
        ActionRules.normalised(try BabyAction(id: id, fields: fields))
      }
    } catch {
      return .failure(RefusedRecord("the stored fields are damaged: \(error)"))
    }
  }

  private mutating func insert(_ action: BabyAction) {
    byID[action.id] = action
    order.insert(action)
  }

  private mutating func remove(_ id: RecordID) {
    refusals[id] = nil
    if let old = byID.removeValue(forKey: id) { order.remove(old) }
  }
}

extension BabyAction {
  /// Whether the action belongs to that profile. References do not leave the zone.
  func isAction(of profile: RecordID) -> Bool {
    id.zoneID == profile.zoneID && parent == profile.recordName
  }
}
