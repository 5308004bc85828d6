import ZoneKitRecords
import ZoneKitSync

/// What should be true of every record, told the simple way: who wrote what, and what they saw when they did. No tokens, no
/// batches, no requests.
package struct ReferenceModel: Sendable {
  /// One field's value that somebody wrote.
  struct Claim: Hashable, Sendable {
    var field: Name
    var value: FieldValue
    var device: Int
    /// Somebody who saw the value replaced it.
    var isReplaced = false
    /// Somebody who saw the value deleted the record.
    var isDeleted = false
  }

  /// What was written to one record.
  struct History: Sendable {
    var account: Name?
    var claims: [Claim] = []
    /// What the last edit made of the record; nil where it deleted it.
    var last: RecordContent?
    /// Whether every edit saw the one before, so that the last one is what must be there.
    var isSerial = true
    /// Somebody deleted it, and nobody made it anew since or set the deletion aside.
    var isDeleted = false
    /// Somebody deleted it at some time.
    var wasDeleted = false
    /// What edits made of it since it was made, or made anew.
    var versions: Set<RecordContent> = []
    /// What edits made of it before it was last made anew.
    var formerVersions: Set<RecordContent> = []
    /// Whether two made it without knowing of each other: a deletion then means only one of the two.
    var isTwiceMade = false
    /// Something took the record away that nobody has to answer for, such as its zone's deletion.
    var isExcused = false
  }

  /// By record.
  private(set) var histories: [RecordKey: History] = [:]
  /// Records that were written while nobody was signed in: whose they become is the app's to say.
  private var orphans: Set<RecordID> = []
  /// The field that devices set by themselves.
  private let stampField: Name?

  /// A model of no records; `stampField` is the field that devices set by themselves.
  package init(stampField: Name?) { self.stampField = stampField }

  /// Takes in that somebody's edit made `after` of what they saw as `before`.
  package mutating func edited(
    _ key: RecordKey, from before: RecordContent?, to after: RecordContent?, by device: Int, isConfirmed: Bool = true
  ) {
    guard before != after else { return }
    if key.account == nil { orphans.insert(key.id) }
    var history = histories[key] ?? History(account: key.account, isSerial: before == nil)
    if histories[key] != nil, history.last != before { history.isSerial = false }
    let old = fields(before)
    let new = fields(after)
    for index in history.claims.indices {
      let claim = history.claims[index]
      guard old[claim.field] == claim.value else { continue }
      if after == nil { history.claims[index].isDeleted = true }
      if new[claim.field] != claim.value { history.claims[index].isReplaced = true }
    }
    for field in new.sorted where field.name != stampField && old[field.name] != field.value {
      history.claims.append(Claim(field: field.name, value: field.value, device: device))
    }
    // Where an edit and a deletion meet the deletion wins; who makes the record anew has seen a deletion. One that saw
    // the record as it was before that has deleted something else.
    if let after {
      if let before {
        // Who edits what was there before goes on with another record than who made it anew.
        let isFormer = !history.versions.contains(before) && history.formerVersions.contains(before)
        history.isTwiceMade = history.isTwiceMade || isFormer
      } else {
        history.isTwiceMade = history.isTwiceMade || history.last != nil
        history.formerVersions.formUnion(history.versions)
        (history.isDeleted, history.versions) = (false, [])
      }
      history.versions.insert(after)
    } else {
      history.wasDeleted = true
      // What the cloud was not known to hold may be another one's by now, which the deletion did not mean.
      if let before, history.versions.contains(before), isConfirmed { history.isDeleted = true }
    }
    history.last = after
    histories[key] = history
  }

  /// Deletions may have been set aside before they were sent, as with an account or a disk that is gone.
  mutating func excuseDeletions() {
    for key in histories.keys { histories[key]?.isDeleted = false }
  }

  /// Nobody has to answer for what becomes of those records any more.
  mutating func excuse(where isMeant: (RecordKey) -> Bool) {
    for key in histories.keys where isMeant(key) { histories[key]?.isExcused = true }
  }

  /// Nobody has to answer for that record any more, whoever's it is; or only where somebody deleted it.
  mutating func excuse(_ id: RecordID, onlyDeleted: Bool = false) {
    for (key, history) in histories where key.id == id && (history.wasDeleted || !onlyDeleted) {
      histories[key]?.isExcused = true
    }
  }

  /// Whether nobody deleted the record, as far as anybody has to answer for it.
  func isUndeleted(_ key: RecordKey) -> Bool {
    guard let history = histories[key] else { return false }
    return !history.isExcused && !history.wasDeleted
  }

  /// What is wrong with a record whose final content is that, where `journal` holds the versions that decisions set aside.
  func complaint(
    about key: RecordKey, final: RecordContent?, journal: [RecordContent], refused: [RecordContent]
  ) -> (Violation.Rule, String)? {
    guard !orphans.contains(key.id) else { return nil }
    guard let history = histories[key] else {
      return final == nil ? nil : (.model, "record \(key.id.words) is there, and nobody wrote it")
    }
    guard !history.isExcused else { return nil }
    if history.isSerial, refused.isEmpty, journal.isEmpty, final != history.last {
      return (
        .model,
        "record \(key.id.words) was written by one after the other; \(words(history.last)) is expected, "
          + "\(words(final)) is there"
      )
    }
    // A deletion may have been set aside with its account or zone, which a journal then says.
    if final != nil, journal.isEmpty, refused.isEmpty, !history.isTwiceMade, !history.claims.isEmpty,
      history.claims.allSatisfy(\.isDeleted)
    {
      return (.resurrection, "record \(key.id.words) is there again after it was deleted by somebody who saw all of it")
    }
    if final != nil, history.isDeleted, !history.isTwiceMade, refused.isEmpty {
      return (.resurrection, "record \(key.id.words) is there although somebody deleted it and nobody made it anew")
    }
    let kept = ([final].compactMap { $0 } + journal + refused).map(fields)
    for claim in history.claims where !claim.isReplaced && !claim.isDeleted {
      // A value that two wrote alike, such as an app's first one, went when somebody replaced it.
      let isSettled = history.claims.contains {
        $0.field == claim.field && $0.value == claim.value && ($0.isReplaced || $0.isDeleted)
      }
      guard !isSettled else { continue }
      guard !kept.contains(where: { $0[claim.field] == claim.value }) else { continue }
      return (
        .lostEdit,
        "record \(key.id.words): \(claim.field) = \(claim.value) is nowhere, and no decision or refusal says why"
      )
    }
    return nil
  }

  private func fields(_ content: RecordContent?) -> Fields {
    // A text that cannot be read holds no values; the store's own tests see to it that there is none.
    guard let content, let fields = try? content.fields.decoded() else { return Fields() }
    return fields
  }

  private func words(_ content: RecordContent?) -> String {
    content.map { String(decoding: $0.fields.utf8, as: UTF8.self) } ?? "no record"
  }
}

/// A record of an account: two accounts may hold records of one ID.
package struct RecordKey: Hashable, Comparable, Sendable {
  /// Whose record it is.
  package var account: Name?
  /// The record.
  package var id: RecordID

  /// That record of that account.
  package init(account: Name?, id: RecordID) {
    self.account = account
    self.id = id
  }

  /// By account, then by record.
  package static func < (first: RecordKey, second: RecordKey) -> Bool {
    (first.account ?? "", first.id) < (second.account ?? "", second.id)
  }
}
