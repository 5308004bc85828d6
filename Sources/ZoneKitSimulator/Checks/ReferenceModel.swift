import ZoneKitRecords
import ZoneKitSync

/// A simple model of the expected content of every record: who wrote what, and which version they saw. It knows no
/// tokens, batches and requests.
package struct ReferenceModel: Sendable {
  /// A value that a user wrote to a field.
  struct Claim: Hashable, Sendable {
    var field: Name
    var value: FieldValue
    var device: Int
    /// Whether a user who saw the value deleted the record.
    var isDeleted = false
  }

  /// The edits of one record.
  struct History: Sendable {
    var account: Name?
    var claims: [Claim] = []
    /// The record after the last edit; nil if that deleted it.
    var last: RecordContent?
    /// Whether every edit saw the previous one, so that the content must be that of the last edit.
    var isSerial = true
    /// Whether the record is deleted: it was deleted, and not created again since, and the deletion was not discarded.
    var isDeleted = false
    /// Whether the record was ever deleted.
    var wasDeleted = false
    /// Whether a version was deleted that the cloud was not known to have. The device may have forgotten it.
    var wasDeletedUnsent = false
    /// The versions that edits made since the record was last created.
    var versions: Set<RecordContent> = []
    /// The versions that edits made before the record was last created.
    var formerVersions: Set<RecordContent> = []
    /// Whether two users created it independently. A deletion then applies to only one of the two.
    var isTwiceMade = false
    /// The values that a user replaced who saw them. A user or the cloud wrote them before.
    var replaced: Set<Field> = []
    /// Whether a version was stamped by a clock that is ahead. A service may cut such a stamp.
    var isStampedAhead = false
    /// Whether the record disappeared for a reason that is no violation, such as the deletion of its zone.
    var isExcused = false
  }

  /// The histories by record.
  private(set) var histories: [RecordKey: History] = [:]
  /// The records whose last versions the cloud lost while devices held them.
  var offered: Set<RecordKey> = []
  /// The records that were written while signed out. The app decides to which account they belong. Empty if it tells that
  /// by a rule of adoption.
  private var orphans: Set<RecordID> = []
  /// Whether versions may have been lost, for example with a disk, a zone or an account.
  private var hasLosses = false
  /// The field that devices themselves set.
  private let stampField: Name?
  /// The fields of a record that the cloud may store differently from what a device sent.
  private let fieldsOfCloud: @Sendable (RecordID) -> [Name]
  /// Whether a field of an adopted record has the value that the cloud gives it.
  private let isGiven: @Sendable (RecordID, Field) -> Bool
  /// Whether the model learns which records a sign-in makes of the local ones.
  private let knowsAdoptions: Bool

  /// A model without records. `stampField` is the field that devices themselves set, `fieldsOfCloud` are those that the
  /// cloud may store differently from what a device sent. If `knowsAdoptions`, `adopted` is called for each sign-in that
  /// makes local records those of an account; no user chose the fields for which `isGiven` holds.
  package init(
    stampField: Name?, knowsAdoptions: Bool = false,
    fieldsOfCloud: @escaping @Sendable (RecordID) -> [Name] = { _ in [] },
    isGiven: @escaping @Sendable (RecordID, Field) -> Bool = { _, _ in false }
  ) {
    self.stampField = stampField
    self.knowsAdoptions = knowsAdoptions
    self.fieldsOfCloud = fieldsOfCloud
    self.isGiven = isGiven
  }

  /// The user's version `before` was edited to `after`.
  package mutating func edited(
    _ key: RecordKey, from before: RecordContent?, to after: RecordContent?, by device: Int, isConfirmed: Bool = true
  ) {
    guard before != after else { return }
    if key.account == nil {
      guard !knowsAdoptions else { return }
      orphans.insert(key.id)
    }
    var history = histories[key] ?? History(account: key.account, isSerial: before == nil)
    if histories[key] != nil, history.last != before { history.isSerial = false }
    let old = fields(before)
    let new = fields(after)
    for index in history.claims.indices {
      let claim = history.claims[index]
      guard old[claim.field] == claim.value else { continue }
      if after == nil { history.claims[index].isDeleted = true }
    }
    for field in old.sorted where new[field.name] != field.value { history.replaced.insert(field) }
    let unclaimed = fieldsOfCloud(key.id) + [stampField].compactMap { $0 }
    for field in new.sorted where !unclaimed.contains(field.name) && old[field.name] != field.value {
      history.claims.append(Claim(field: field.name, value: field.value, device: device))
    }
    // If an edit and a deletion conflict, the deletion wins. A device that creates the record again has seen a deletion. A
    // deletion by a user who saw an earlier version applies to that one.
    if let after {
      if let before {
        // An edit of an earlier version continues a different record than the one that was created again.
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
      if !isConfirmed { history.wasDeletedUnsent = true }
      // If the cloud was not known to have the record, it may be another device's by now, to which the deletion does
      // not apply.
      if let before, history.versions.contains(before), isConfirmed { history.isDeleted = true }
    }
    history.last = after
    histories[key] = history
  }

  /// A device made those records for an account out of its local ones.
  mutating func adopted(_ records: [LocalRecord], by account: Name, on device: Int) {
    for record in records {
      let key = RecordKey(account: account, id: record.recordID)
      let claims = histories[key]?.claims.count ?? 0
      edited(key, from: nil, to: record.local, by: device, isConfirmed: false)
      guard let new = histories[key]?.claims.dropFirst(claims) else { continue }
      let chosen = new.filter { !isGiven(key.id, Field(name: $0.field, value: $0.value)) }
      histories[key]?.claims.replaceSubrange(claims..., with: chosen)
    }
  }

  /// Deletions may have been discarded before they were sent, for example with an account or a disk.
  mutating func excuseDeletions() {
    hasLosses = true
    for key in histories.keys { histories[key]?.isDeleted = false }
  }

  /// Those records may have any content.
  mutating func excuse(where isMeant: (RecordKey) -> Bool) {
    for key in histories.keys where isMeant(key) { histories[key]?.isExcused = true }
  }

  /// The records with that ID may have any content, in all accounts; only deleted ones if `onlyDeleted`.
  mutating func excuse(_ id: RecordID, onlyDeleted: Bool = false) {
    for (key, history) in histories where key.id == id && (history.wasDeleted || !onlyDeleted) {
      histories[key]?.isExcused = true
    }
  }

  /// The latest version of a record was stamped by a clock that is ahead.
  mutating func stampedAhead(_ key: RecordKey) { histories[key]?.isStampedAhead = true }

  /// All versions that users made of a record, in the order of their bytes; nil if some may have been lost, forgotten or
  /// stamped anew, or the record is excused.
  func allVersions(of key: RecordKey) -> [RecordContent]? {
    guard !hasLosses, !orphans.contains(key.id), let history = histories[key], !history.isExcused,
      !history.isStampedAhead, !history.wasDeletedUnsent
    else { return nil }
    return history.versions.union(history.formerVersions).sorted {
      $0.fields.utf8.lexicographicallyPrecedes($1.fields.utf8)
    }
  }

  /// Whether the record must exist: no user deleted it, and its loss is not excused.
  func isUndeleted(_ key: RecordKey) -> Bool {
    guard let history = histories[key] else { return false }
    return !history.isExcused && !history.wasDeleted
  }

  /// What is wrong with a record with that final content; nil for nothing. `journal` contains the versions that
  /// decisions discarded.
  package func complaint(
    about key: RecordKey, final: RecordContent?, journal: [RecordContent], refused: [RecordContent]
  ) -> (Violation.Rule, String)? {
    guard !orphans.contains(key.id) else { return nil }
    guard let history = histories[key] else {
      return final == nil ? nil : (.model, "record \(key.id.words) is there, and nobody wrote it")
    }
    guard !history.isExcused else { return nil }
    if history.isSerial, refused.isEmpty, journal.isEmpty, !isSame(final, history.last, of: key.id) {
      return (
        .model,
        "record \(key.id.words) was written by one after the other: "
          + RecordContent.comparison(of: key.id, history.last, "the last user", final, "the cloud")
      )
    }
    // A deletion may have been discarded with its account or zone, which a journal then contains.
    if final != nil, journal.isEmpty, refused.isEmpty, !history.isTwiceMade, !history.claims.isEmpty,
      history.claims.allSatisfy(\.isDeleted)
    {
      return (.resurrection, "record \(key.id.words) is there again after it was deleted by somebody who saw all of it")
    }
    if final != nil, history.isDeleted, !history.isTwiceMade, refused.isEmpty {
      return (.resurrection, "record \(key.id.words) is there although somebody deleted it and nobody made it anew")
    }
    let kept = ([final].compactMap { $0 } + journal + refused).map(fields)
    for claim in history.claims {
      // A value that two wrote independently, such as an app's initial one, is settled when a user replaced it.
      guard !history.replaced.contains(Field(name: claim.field, value: claim.value)) else { continue }
      guard !kept.contains(where: { $0[claim.field] == claim.value }) else { continue }
      return (
        .lostEdit,
        "record \(key.id.words): \(claim.field) is \(FieldValue?.some(claim.value).words) by the user of device "
          + "\(claim.device + 1), \(final.map { fields($0)[claim.field].words } ?? "deleted") in the cloud, and no decision "
          + "or refusal says why"
      )
    }
    return nil
  }

  private func isSame(_ final: RecordContent?, _ last: RecordContent?, of id: RecordID) -> Bool {
    let left = fieldsOfCloud(id)
    guard !left.isEmpty, let final, let last else { return final == last }
    var (one, other) = (fields(final), fields(last))
    for field in left { (one[field], other[field]) = (nil, nil) }
    return one == other && final.parent == last.parent
  }

  private func fields(_ content: RecordContent?) -> Fields {
    // A text that cannot be read has no values. The store's own tests check that there is none.
    guard let content, let fields = try? content.fields.decoded() else { return Fields() }
    return fields
  }
}

/// A record of an account. Two accounts may have records with one ID.
package struct RecordKey: Hashable, Comparable, Sendable {
  /// The account.
  package var account: Name?
  /// The record.
  package var id: RecordID

  /// The key of that record.
  package init(account: Name?, id: RecordID) {
    self.account = account
    self.id = id
  }

  /// Orders keys by account and record.
  package static func < (first: RecordKey, second: RecordKey) -> Bool {
    (first.account ?? "", first.id) < (second.account ?? "", second.id)
  }
}
