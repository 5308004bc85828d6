import ZoneKitRecords

/// A place in a feed of documents, with what the reading was begun with. Clients get it as an opaque text.
package struct DocumentCursor: Hashable, Sendable {
  /// What is read.
  package enum Kind: UInt8, Hashable, Sendable {
    /// The changes.
    case changes = 1
    /// The pages of a snapshot.
    case snapshot = 2
  }

  /// What is read.
  package var kind: Kind
  /// The feed.
  package var feed: DocumentFeed
  /// The zone's incarnation; 0 at the start of a feed.
  package var incarnation: UInt64
  /// The zone's sequence of the last entry that was read; 0 at the start of a feed.
  package var position: Int64
  /// The collections that are read, as indexes into the schema's; nil for all.
  package var collections: Set<Int>?
  /// For changes the time of which those that were committed more than five minutes earlier are left out; nil for none.
  package var since: WallTime?
  /// For a snapshot the zone's sequence when its first page was read; nil for the first page.
  package var end: Int64?
  /// For a snapshot whether deleted documents are returned too.
  package var includesDeleted: Bool

  /// The start of a feed.
  package init(
    startOf feed: DocumentFeed, _ kind: Kind, collections: Set<Int>? = nil, since: WallTime? = nil,
    includesDeleted: Bool = false
  ) {
    self.kind = kind
    self.feed = feed
    incarnation = 0
    position = 0
    self.collections = collections
    self.since = since
    self.includesDeleted = includesDeleted
  }

  /// Why a text is no cursor of the kind that is asked for.
  package enum Problem: Error, Hashable, Sendable {
    /// It is no cursor that the server made, or an old one.
    case unreadable
    /// It is one of another kind.
    case ofAnotherKind
  }
}

/// What a client knows of the feeds of an account. Clients get it as an opaque text.
package struct DocumentPosition: Hashable, Sendable {
  /// What it knows of one feed.
  package struct Known: Hashable, Sendable {
    /// The data set.
    package var dataset: UInt64
    /// The zone's sequence; nil if the feed was deleted.
    package var sequence: Int64?

    /// The state of a data set at that sequence.
    package init(dataset: UInt64, sequence: Int64?) {
      self.dataset = dataset
      self.sequence = sequence
    }
  }

  /// The feeds that were there.
  package var feeds: [DocumentFeed: Known]

  /// What is known of those feeds.
  package init(_ feeds: [DocumentFeed: Known] = [:]) { self.feeds = feeds }
}
