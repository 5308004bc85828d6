import ZoneKitRecords

/// A request for documents of the caller's account.
package enum DocumentRequest: Hashable, Sendable {
  /// Apply these changes. Without changes: make sure that the data set exists.
  case push(DocumentPush)
  /// Return the changes behind a position.
  case pull(DocumentPull)
  /// Return a page of a snapshot of all documents.
  case snapshot(DocumentSnapshot)
  /// Return documents by their names.
  case lookup(DocumentLookup)
  /// Return the feeds that changed since a position; without one, those that exist.
  case status(since: DocumentPosition?)

  /// The most changes, documents or entries of one request.
  package static let itemLimit = 200
}

/// Changes to apply.
package struct DocumentPush: Hashable, Sendable {
  /// Who decides about a change whose base is not the current version.
  package enum Decider: String, CaseIterable, Hashable, Sendable {
    /// The server stores the join of both versions, or reports that the client has to merge.
    case server = "decide"
    /// The server only reports the conflict.
    case client = "report"
  }

  /// The device that sends.
  package var deviceID: String
  /// Who decides conflicts.
  package var decider: Decider
  /// When the client last pulled, by its own account. It decides nothing; it tells which versions the client has seen.
  package var lastPulledAt: WallTime?
  /// The changes, which are worked out in this order.
  package var changes: [DocumentChange]

  /// Those changes of a device.
  package init(
    from deviceID: String, decider: Decider = .server, lastPulledAt: WallTime? = nil, changes: [DocumentChange]
  ) {
    self.deviceID = deviceID
    self.decider = decider
    self.lastPulledAt = lastPulledAt
    self.changes = changes
  }
}

/// A reading of changes.
package struct DocumentPull: Hashable, Sendable {
  /// Where it begins, with what it was begun with. At the start of a feed it has no position.
  package var cursor: DocumentCursor
  /// The most changes of the page, 1 to 200.
  package var limit: Int
  /// The tags of the client's own changes that no page has shown. If the data set lost one of them, the pull is refused as one
  /// of another data set.
  package var acknowledged: [DocumentTag]

  /// The changes behind that cursor.
  package init(
    _ cursor: DocumentCursor, limit: Int = DocumentRequest.itemLimit, acknowledged: [DocumentTag] = []
  ) {
    self.cursor = cursor
    self.limit = limit
    self.acknowledged = acknowledged
  }
}

/// A reading of all documents.
package struct DocumentSnapshot: Hashable, Sendable {
  /// Where the page begins, with what the reading was begun with.
  package var page: DocumentCursor
  /// The most documents of the page, 1 to 200; nil for all documents in one answer, which is refused if the feed has more
  /// than 200 entries.
  package var limit: Int?

  /// The documents behind that place.
  package init(_ page: DocumentCursor, limit: Int?) {
    self.page = page
    self.limit = limit
  }
}

/// A reading of documents by their names.
package struct DocumentLookup: Hashable, Sendable {
  /// The names, at most 200, of documents in any feed.
  package var names: [DocumentName]
  /// The place among the names of the first one to be answered.
  package var start: Int

  /// The documents of those names.
  package init(_ names: [DocumentName], from start: Int = 0) {
    self.names = names
    self.start = start
  }
}
