import ZoneKitRecords

/// The answer to a `DocumentRequest`.
package enum DocumentResponse: Hashable, Sendable {
  /// For `push`.
  case pushed(PushAnswer)
  /// For `pull`.
  case pulled(PullAnswer)
  /// For `snapshot`.
  case snapshot(SnapshotAnswer)
  /// For `lookup`.
  case found(LookupAnswer)
  /// For `status`.
  case status(StatusAnswer)
  /// The whole request was refused. Nothing was done.
  case refused(DocumentError)
}

/// The results of changes.
package struct PushAnswer: Hashable, Sendable {
  /// The result of each change, in the order of the request.
  package var results: [ChangeResult]
  /// The server's time.
  package var at: WallTime

  /// Those results.
  package init(_ results: [ChangeResult], at: WallTime) {
    self.results = results
    self.at = at
  }
}

/// The result of one change.
package struct ChangeResult: Hashable, Sendable {
  /// A version of a document as the server has it.
  package struct Version: Hashable, Sendable {
    /// The version's number.
    package var number: Int64
    /// Its tag; nil if there is no document.
    package var tag: DocumentTag?
    /// When the server committed it; nil if there is no document.
    package var committedAt: WallTime?
    /// The device that wrote it; nil if there is no document.
    package var deviceID: String?

    /// That version.
    package init(number: Int64, tag: DocumentTag? = nil, committedAt: WallTime? = nil, deviceID: String? = nil) {
      self.number = number
      self.tag = tag
      self.committedAt = committedAt
      self.deviceID = deviceID
    }
  }

  /// How a conflict ends.
  package enum Resolution: String, CaseIterable, Hashable, Sendable {
    /// The stored document stays.
    case server = "server_wins"
    /// The client's document is the newer one; the client sends it again on the present base.
    case client = "client_wins"
    /// Both have parts that belong into the result; the client merges and sends again.
    case merge
  }

  /// What was done.
  package enum Outcome: Hashable, Sendable {
    /// The change is stored, or was already. `isChanged` says whether something was written.
    case applied(isChanged: Bool, Version)
    /// The change's base is not the current version. The document is the stored one, nil if there is none.
    case conflict(Resolution, Document?, isChanged: Bool)
    /// The change was refused.
    case failed(ChangeError)
  }

  /// The change.
  package var name: DocumentName
  /// The client's name for the change; nil for none.
  package var changeID: String?
  /// The version on which the client's change rests, as the client named it; 0 if it named none.
  package var clientVersion: Int64
  /// What was done.
  package var outcome: Outcome

  /// The result of that change.
  package init(of change: DocumentChange, _ outcome: Outcome) {
    name = change.name
    changeID = change.changeID
    clientVersion = change.version ?? 0
    self.outcome = outcome
  }
}

/// A page of changes.
package struct PullAnswer: Hashable, Sendable {
  /// An entry of a feed.
  package enum Entry: Hashable, Sendable {
    /// The document is there, alive or deleted.
    case document(Document)
    /// Nothing is left of the document but a tombstone.
    case tombstone(DocumentName, ChangeResult.Version)
  }

  /// The entries, ascending by their positions, each document once.
  package var entries: [Entry]
  /// The time of the last entry's commit; at the end of the feed that of the last commit.
  package var at: WallTime
  /// Whether there is more behind the cursor.
  package var hasMore: Bool
  /// The place behind the last entry.
  package var cursor: DocumentCursor

  /// A page that ends at that cursor.
  package init(_ entries: [Entry], at: WallTime, hasMore: Bool, cursor: DocumentCursor) {
    self.entries = entries
    self.at = at
    self.hasMore = hasMore
    self.cursor = cursor
  }
}

/// A page of a snapshot.
package struct SnapshotAnswer: Hashable, Sendable {
  /// The documents, ascending by their positions.
  package var documents: [Document]
  /// The server's time.
  package var at: WallTime
  /// The zone's sequence when the first page was read.
  package var end: Int64
  /// Where the next page begins; nil for the last page.
  package var next: DocumentCursor?
  /// From where the changes since the snapshot are read; only with the last page.
  package var cursor: DocumentCursor?

  /// A page of the snapshot at that sequence.
  package init(
    _ documents: [Document], at: WallTime, end: Int64, next: DocumentCursor? = nil, cursor: DocumentCursor? = nil
  ) {
    self.documents = documents
    self.at = at
    self.end = end
    self.next = next
    self.cursor = cursor
  }
}

/// Documents that were asked for by their names.
package struct LookupAnswer: Hashable, Sendable {
  /// The documents that were found.
  package var documents: [Document]
  /// The names of documents that do not exist.
  package var missing: [DocumentName]
  /// The server's time.
  package var at: WallTime
  /// The place among the names of the first one that has no answer, because the answer would be too large; nil if all have.
  package var next: Int?

  /// An answer with those documents.
  package init(_ documents: [Document], missing: [DocumentName], at: WallTime, next: Int? = nil) {
    self.documents = documents
    self.missing = missing
    self.at = at
    self.next = next
  }
}

/// The feeds that changed.
package struct StatusAnswer: Hashable, Sendable {
  /// The change of a feed.
  package enum State: String, CaseIterable, Hashable, Sendable {
    /// There are changes behind the position, or the feed is new.
    case changed
    /// The documents were deleted.
    case deleted
    /// The user removed the app's data.
    case purged
    /// The feed is of another data set than the client knows, or behind what the client knows.
    case reset
  }

  /// A feed with its change.
  package struct Feed: Hashable, Sendable {
    /// The feed.
    package var feed: DocumentFeed
    /// Its change.
    package var state: State
    /// When the documents were deleted, if they were.
    package var deletedAt: WallTime?

    /// That change of a feed.
    package init(_ feed: DocumentFeed, _ state: State, deletedAt: WallTime? = nil) {
      self.feed = feed
      self.state = state
      self.deletedAt = deletedAt
    }
  }

  /// The account.
  package var user: Name
  /// The feeds that changed.
  package var feeds: [Feed]
  /// Whether the client has to ask again with the token.
  package var hasMore: Bool
  /// The position after this answer.
  package var position: DocumentPosition
  /// The server's time.
  package var at: WallTime

  /// The changes up to that position.
  package init(of user: Name, _ feeds: [Feed], hasMore: Bool, position: DocumentPosition, at: WallTime) {
    self.user = user
    self.feeds = feeds
    self.hasMore = hasMore
    self.position = position
    self.at = at
  }
}
