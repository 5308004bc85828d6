import ZoneKitCloud
import ZoneKitDocuments
import ZoneKitRecords

/// The change of a feed since a client asked last.
struct FeedChange {
  /// The change; nil for none.
  let state: StatusAnswer.State?
  /// What the client knows of the feed from now on; nil if there is nothing to know.
  let known: DocumentPosition.Known?
  /// When the documents were deleted, if the change is that they were.
  private(set) var deletedAt: WallTime?

  /// The change of the feed with that header since the client knew `known`. The header is nil if the zone never existed.
  /// `isFirst` says whether the client asks for the first time; otherwise it may have sent documents to a feed that its
  /// position does not know, and learns of their deletion.
  init(of header: ZoneHeader?, since known: DocumentPosition.Known?, isFirst: Bool) {
    guard let header else {
      self.init(known == nil ? nil : .reset, nil)
      return
    }
    let isOfThisSet = known?.dataset == header.dataset
    switch header.deletion {
    case nil:
      let now = DocumentPosition.Known(dataset: header.dataset, sequence: header.sequence)
      guard let known else {
        self.init(.changed, now)
        return
      }
      guard isOfThisSet, let sequence = known.sequence else {
        // After a deletion that the client knows of, another data set is the beginning of a new one.
        self.init(known.sequence == nil ? .changed : .reset, now)
        return
      }
      self.init(!header.covers(sequence) ? .reset : sequence < header.sequence ? .changed : nil, now)
    case let deletion?:
      let now = DocumentPosition.Known(dataset: header.dataset, sequence: nil)
      let isKnown = known.map { $0.sequence == nil } ?? isFirst
      self.init(isKnown ? nil : Self.state(of: deletion), now)
      if state == .deleted || state == .purged { deletedAt = header.lastCommitAt }
    }
  }

  private init(_ state: StatusAnswer.State?, _ known: DocumentPosition.Known?) {
    self.state = state
    self.known = known
  }

  private static func state(of deletion: ZoneHeader.Deletion) -> StatusAnswer.State {
    switch deletion {
    case .deleted: .deleted
    case .purged: .purged
    case .encryptedDataReset, .lost: .reset
    }
  }
}
