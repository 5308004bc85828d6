import ZoneKitRecords
import ZoneKitCloud

/// What every `ZoneStore` must do, one check a case. A conformer's tests run `violations` for each case, for example by
/// `@Test(arguments: ZoneStoreConformance.allCases)`, and expect none.
package enum ZoneStoreConformance: String, CaseIterable, Sendable {
  case emptyStore = "a store that nobody wrote to is empty"
  case stagedIsReadable = "reads see what is staged"
  case committedIsReadable = "a commit changes nothing that reads see"
  case committedIsDurable = "what was committed is there after reopening"
  case stagedIsLost = "what was only staged is gone after reopening"
  case zonesInOrder = "zones are listed by name, deleted ones included, whatever their names hold"
  case databases = "every database that was written to is listed, in order"
  case closing = "closing drops what was only staged, and keeps what was committed"
  case databasesApart = "databases and zones do not see each other"
  case databaseSequence = "a database's sequence is the greatest of its zones"
  case recordsReplaced = "a saved record takes the place of the one before, in the feed too"
  case tombstones = "a tombstone stands where the record was"
  case feedForwards = "pages of the feed in order of sequence, of any size"
  case feedBackwards = "pages of the feed in descending order, of any size"
  case feedBytes = "a page of a feed ends before the row that would make it too large"
  case feedByType = "a feed of some types lets tombstones through"
  case feedOfOneType = "a feed of one type alone, and one of tombstones alone, in a zone that is read by type or not"
  case sequences = "the sequence of a time is that of the last record saved by then"
  case queries = "generated queries find the records that their definition states, with indexes and without"
  case references = "references that bind are found by their target"
  case schema = "field definitions are kept by type, the newer in the place of the older"
  case assets = "the assets of live records are listed, those of replaced and deleted ones are not"
  case clearing = "clearing a zone takes everything but the header, and it can be filled in the same turn"
  case purging = "old tombstones go, records stay, and the header says so"
  case clearingLost = "a clearing that was only staged is gone after reopening"
  case subscriptions = "subscriptions and registrations are kept in order of their IDs and tokens"
  case querySubscriptions = "query subscriptions are kept, apart for each account"
  case identity = "a database's identity is kept"
  case exactBytes = "names, fields and times come back as the very bytes and numbers that went in"
  case prefetching = "what is prefetched answers as the reading verbs do, staged changes included"
  case staleZone = "a change that expects a zone to be otherwise is refused, and nothing else is touched"
  case staleDatabase = "a change that expects another state of a database is refused, and nothing else is touched"
  case failedZone = "a zone whose commit fails is as it was before, and others are not touched"
  case failedPredecessor = "a zone whose change comes after that of another is not committed if that one fails"
  case refusedCommit = "a commit that is refused leaves every place as it was before, and the next one is made"
  case failedDatabase = "a database whose commit fails is as it was before, and its zones are not touched"

  /// What the store does wrong, a sentence each; empty where it does all as it must.
  ///
  /// - Parameters:
  ///   - make: Makes an empty store that shares nothing with one made before.
  ///   - reopen: Ends the store as a crash would, and opens what it left behind.
  ///   - failNextCommit: Makes the next commit fail at that place, if the store can be made to; without it the two
  ///     checks of failures find nothing.
  package func violations<Store: ZoneStore>(
    make: () throws -> Store, reopen: (consuming Store) throws -> Store,
    failNextCommit: ((inout Store, CommitFailure.Place) throws -> Void)? = nil
  ) throws -> [String] {
    var trial = ZoneStoreTrial(store: try make())
    switch self {
    case .emptyStore: try trial.checkEmpty()
    case .stagedIsReadable: try trial.checkStagedIsReadable()
    case .committedIsReadable: try trial.checkCommittedIsReadable()
    case .committedIsDurable: try trial.checkCommittedIsDurable(reopen)
    case .stagedIsLost: try trial.checkStagedIsLost(reopen)
    case .zonesInOrder: try trial.checkZonesInOrder(reopen)
    case .databases: try trial.checkDatabases(reopen)
    case .closing: try trial.checkClosing(reopen)
    case .databasesApart: try trial.checkDatabasesApart()
    case .databaseSequence: try trial.checkDatabaseSequence(reopen)
    case .recordsReplaced: try trial.checkRecordsReplaced()
    case .tombstones: try trial.checkTombstones()
    case .feedForwards: try trial.checkFeed(isReversed: false)
    case .feedBackwards: try trial.checkFeed(isReversed: true)
    case .feedBytes: try trial.checkFeedBytes()
    case .feedByType: try trial.checkFeedByType()
    case .feedOfOneType: try trial.checkFeedOfOneType(reopen)
    case .sequences: try trial.checkSequences()
    case .queries: try trial.checkQueries(reopen)
    case .references: try trial.checkReferences(reopen)
    case .schema: try trial.checkSchema(reopen)
    case .assets: try trial.checkAssets(reopen)
    case .clearing: try trial.checkClearing(reopen)
    case .purging: try trial.checkPurging(reopen)
    case .clearingLost: try trial.checkClearingLost(reopen)
    case .subscriptions: try trial.checkSubscriptions(reopen)
    case .identity: try trial.checkIdentity(reopen)
    case .querySubscriptions: try trial.checkQuerySubscriptions(reopen)
    case .exactBytes: try trial.checkExactBytes(reopen)
    case .prefetching: try trial.checkPrefetching()
    case .staleZone: try trial.checkStaleZone(reopen)
    case .staleDatabase: try trial.checkStaleDatabase(reopen)
    case .failedZone: if let failNextCommit { try trial.checkFailedZone(failNextCommit) }
    case .failedPredecessor: if let failNextCommit { try trial.checkFailedPredecessor(failNextCommit) }
    case .refusedCommit: try trial.checkRefusedCommit()
    case .failedDatabase: if let failNextCommit { try trial.checkFailedDatabase(failNextCommit) }
    }
    return trial.violations
  }
}
