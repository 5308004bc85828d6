import ZoneKitCloud
import ZoneKitDocuments
import ZoneKitRecords

/// Changes that meet a version that their sender may not know, and the journal of what was decided about them.
extension DocumentWriting {
  // MARK: Bases

  /// How a change rests on the stored version.
  enum Base {
    /// The sender knows the version: it names the tag, or wrote it itself.
    case version
    /// The sender names the version's number, to which it may have counted without having seen the version.
    case number
    /// The sender names another version or none.
    case other
  }

  /// How a change rests on what is stored.
  func base(of change: DocumentChange, on stored: StoredRecord) -> Base {
    switch change.base {
    case .none: return .other
    case .tag(let tag): return tag.sequence == stored.sequence ? .version : .other
    case .version(let number):
      // A client that makes a document knows of none, whatever number it sends.
      guard number == stored.version, change.operation != .create else { return .other }
      if stored.modified.author.deviceID == transaction.push.deviceID { return .version }
      guard let tag = change.readTag else { return .number }
      return tag == DocumentTag(dataset: zone.header.dataset, sequence: stored.sequence) ? .version : .other
    }
  }

  /// Whether the sender pulled after the version was committed.
  func hasPulled(_ stored: StoredRecord) -> Bool {
    transaction.push.lastPulledAt.map { stored.modified.at <= $0 } ?? false
  }

  /// Whether a change that names the stored version by its number replaces something that the sender may not have seen: it
  /// pulled before that version came, or the change is not what an edit of that version would be.
  func isUnseen(_ stored: Stored, under fields: Fields, in collection: DocumentCollection) -> Bool {
    let merge = DocumentMerge(collection)
    let (kept, sent) = (merge.version(stored.fields), merge.version(fields))
    guard !merge.showsSame(kept, sent), !hasPulled(stored.record) else { return false }
    return transaction.push.lastPulledAt != nil || !merge.showsSame(merge.join(kept, sent), sent)
  }

  // MARK: Verdicts

  /// A change whose base is not the stored version.
  mutating func judge(
    _ fields: Fields, _ change: DocumentChange, against stored: Stored, in collection: DocumentCollection
  ) throws(ChangeFailure) -> ChangeResult.Outcome {
    let merge = DocumentMerge(collection)
    let (kept, sent) = (merge.version(stored.fields), merge.version(fields))
    let joined = merge.join(kept, sent)
    let resolution: ChangeResult.Resolution =
      merge.showsSame(joined, sent) ? .client : merge.showsSame(joined, kept) ? .server : .merge
    let document = document(change.name, stored.record.version(in: zone.header.dataset), stored.record.fields)
    guard transaction.push.decider == .server else { return .conflict(resolution, document, isChanged: false) }
    let rule = merge.order(fields).rule(against: merge.order(stored.fields))
    switch resolution {
    case .merge:
      let request = AskedMerges.Request(tag: document.tag, deviceID: transaction.push.deviceID)
      let question = AskedMerges.Question(request, about: EncodedFields(fields), on: change.base)
      guard !transaction.asked.asks(question) else {
        asked.append(question)
        return .conflict(.merge, document, isChanged: false)
      }
      decide(change.name, for: fields, over: stored, winner: .merged, rule: "merged")
      let version = try put(joined.fields, change.name, over: stored, in: collection)
      return .conflict(
        .server, self.document(change.name, version, EncodedFields(joined.fields)), isChanged: true)
    case .client, .server:
      if !merge.showsSame(kept, sent) {
        decide(change.name, for: fields, over: stored, winner: resolution == .server ? .server : .local, rule: rule)
      }
      let isChanged = !merge.isEqual(joined, kept) && EncodedFields(joined.fields).utf8 != stored.record.fields.utf8
      let version =
        isChanged
        ? try put(joined.fields, change.name, over: stored, in: collection)
        : stored.record.version(in: zone.header.dataset)
      guard resolution == .server else { return .applied(isChanged: isChanged, version) }
      return .conflict(.server, document, isChanged: isChanged)
    }
  }

  private func document(_ name: DocumentName, _ version: ChangeResult.Version, _ content: EncodedFields) -> Document {
    let written = schema.collection(name.collection).flatMap { DocumentWriter($0, of: schema).written(content) }
    return Document(
      name, of: transaction.database.user, version: version.number,
      tag: version.tag ?? DocumentTag(dataset: zone.header.dataset, sequence: zone.header.sequence),
      deviceID: version.deviceID ?? Author.unnamedDevice, committedAt: version.committedAt ?? stamp, content: content,
      isDeleted: written?.isDeleted ?? false, written: written)
  }

  // MARK: Journal

  /// Notes two versions, of which one lost, for the conflict journal. `fields` are those that were sent; nil for an erasure.
  mutating func decide(
    _ name: DocumentName, for fields: Fields?, over stored: Stored, winner: ConflictEntry.Winner = .local, rule: String
  ) {
    let sent = fields.map { RecordContent(fields: EncodedFields($0)) }
    let kept = RecordContent(fields: stored.record.fields)
    let id = RecordID(recordName: name.recordName, zoneID: ZoneID(zoneName: zone.key.zoneName))
    decisions.append(
      ConflictEntry(
        id: ConflictRecord.id(of: id, sent, kept), recordID: id, recordType: stored.record.recordType, at: stamp,
        winner: winner, rule: rule, local: sent, server: kept, serverDeviceID: stored.record.modified.author.deviceID,
        decidedBy: DocumentServer.deviceID))
  }

  /// Writes the decisions to the conflict journal. A pair of versions is written once.
  mutating func writeJournal() throws(EvaluationFailure) {
    guard var journal, !decisions.isEmpty else { return }
    try journal.require(decisions.map { Name($0.id) })
    for entry in decisions {
      guard try journal.live(Name(entry.id)) == nil else { continue }
      let authorship = Authorship(at: max(stamp, journal.header.lastCommitAt), author: server)
      let fields = ConflictRecord.fields(of: entry)
      try journal.put(
        record(Name(entry.id), ConflictRecord.recordType, fields, authorship, over: nil), defining: fields)
    }
    self.journal = journal
  }
}
