import ZoneKitRecords
import ZoneKitSync

/// The baby log as the user sees it: running actions on top, then the newest start first.
///
/// It is a cache of the device's store and holds no truth of its own: a notice of changed records brings it up to date
/// one by one, and building it anew gives the same.
package struct ActionLogStore: Hashable, Sendable {
  /// A record that the log cannot show, and why.
  package struct Refusal: Hashable, Sendable {
    /// The record.
    package var id: RecordID
    /// What is wrong with it.
    package var reason: String
  }

  /// All actions in the order of the log; of equal starts the smaller record ID comes first.
  package private(set) var actions: [BabyAction] = []
  /// The records of type BabyAction that make no action, ascending by record ID. They stay in the store untouched.
  package private(set) var refused: [Refusal] = []
  private var byID: [RecordID: BabyAction] = [:]

  /// A log of nothing.
  package init() {}

  /// The log of what a store holds, without the records that are not to be shown yet.
  package init(rebuiltFrom store: some DeviceStore, leavingOut parked: [RecordID] = []) throws(StoreError) {
    let parked = Set(parked)
    for record in try store.records(ofType: BabyAction.recordType) {
      guard let content = record.local, !parked.contains(record.recordID) else { continue }
      switch Self.read(content, as: record.recordID) {
      case .success(let action): byID[record.recordID] = action
      case .failure(let refusal): refused.append(Refusal(id: record.recordID, reason: refusal.reason))
      }
    }
    actions = byID.values.sorted(by: Self.precedes)
  }

  /// Reads the named records anew; those that are no actions are ignored.
  package mutating func refresh(_ changed: [RecordID], from store: some DeviceStore) throws(StoreError) {
    var seen: Set<RecordID> = []
    var added: [BabyAction] = []
    for id in changed where seen.insert(id).inserted {
      let record = try store.record(id)
      remove(id)
      guard let record, record.recordType == BabyAction.recordType, let content = record.local else { continue }
      switch Self.read(content, as: id) {
      case .success(let action): added.append(action)
      case .failure(let refusal): refuse(Refusal(id: id, reason: refusal.reason))
      }
    }
    insert(added)
  }

  /// The first `limit` actions of the log, or all.
  package func list(_ limit: Int? = nil) -> [BabyAction] {
    limit.map { Array(actions.prefix(max(0, $0))) } ?? actions
  }

  /// The action of that ID.
  package func action(_ id: RecordID) -> BabyAction? { byID[id] }

  /// The actions whose IDs begin with that text, in upper or lower case, in the order of the log.
  package func actions(withIDPrefix prefix: String) -> [BabyAction] {
    let prefix = Array(prefix.uppercased().utf8)
    return actions.filter { $0.id.recordName.text.utf8.starts(with: prefix) }
  }

  /// The running actions of a profile, newest start first; of one category where one is given.
  package func running(of profile: RecordID, in category: Category? = nil) -> [BabyAction] {
    // Running actions are on top of the log.
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

  /// Merges the added actions into the log from its end, so that only those behind the first new one move.
  private mutating func insert(_ added: [BabyAction]) {
    for action in added { byID[action.id] = action }
    let run = added.sorted(by: Self.precedes)
    var old = actions.count - 1
    actions += run
    var free = actions.count - 1
    for action in run.reversed() {
      while old >= 0, Self.precedes(action, actions[old]) {
        actions.swapAt(old, free)
        old -= 1
        free -= 1
      }
      actions[free] = action
      free -= 1
    }
  }

  private mutating func remove(_ id: RecordID) {
    refused.removeAll { $0.id == id }
    guard let old = byID.removeValue(forKey: id) else { return }
    actions.remove(at: position(of: old))
  }

  private mutating func refuse(_ refusal: Refusal) {
    let index = refused.firstIndex { refusal.id < $0.id } ?? refused.endIndex
    refused.insert(refusal, at: index)
  }

  /// Where an action is or belongs.
  private func position(of action: BabyAction) -> Int {
    var low = 0
    var high = actions.count
    while low < high {
      let middle = (low + high) / 2
      if Self.precedes(actions[middle], action) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private static func precedes(_ first: BabyAction, _ second: BabyAction) -> Bool {
    if first.isRunning != second.isRunning { return first.isRunning }
    if first.startDate != second.startDate { return first.startDate > second.startDate }
    return first.id < second.id
  }
}

extension BabyAction {
  /// Whether the action belongs to that profile; references do not leave the zone.
  func isAction(of profile: RecordID) -> Bool {
    id.zoneID == profile.zoneID && parent == profile.recordName
  }
}
