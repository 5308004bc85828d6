import ZoneKitRecords

/// The settings that an app gives its coordinator once. Times are in milliseconds.
public struct CoordinatorConfiguration: Sendable {
  /// The decision about a record that one device deleted and another edited.
  public enum DeleteRule: String, CaseIterable, Hashable, Sendable {
    /// The deletion wins; the edit is in the journal.
    case deleteWins
    /// The merge policy decides, with nil as the deleted version.
    case policy
  }

  /// Where edits go that were made while nobody was signed in, when somebody signs in.
  public enum SignInRule: String, CaseIterable, Hashable, Sendable {
    /// They are uploaded into the new account.
    case upload
    /// They go to the journal.
    case setAside
  }

  /// The database that the coordinator syncs: private or shared. The public database has no feed of changes (CloudKit Web
  /// Services, a.0), so a coordinator of it cannot be made.
  public var scope = DatabaseScope.private
  /// The app's rule for conflicts.
  public var mergePolicy: MergePolicy
  /// The field that holds the stamp of a record's last edit; nil where the app has none.
  public var stampField: Name?
  /// Decides about a record that one device deleted and another edited.
  public var deleteRule = DeleteRule.deleteWins
  /// Where edits go that were made while nobody was signed in. Edits of another account never reach the new one.
  public var signInRule = SignInRule.upload
  /// Asked before a zone that is gone from the cloud is deleted here; the place to keep a copy. It may be asked again about
  /// the same zone, because nothing is decided before the store has kept it. Nil where `ZoneRemoval.usualChoice` decides.
  public var zoneRemovalRule: (@Sendable (ZoneRemoval) -> ZoneRemoval.Choice)?
  /// The one subscription that all devices of the account share; nil where the app wants no pushes.
  public var subscriptionID: String? = "zonekit-database-changes"
  /// The push service's environment.
  public var pushEnvironment = Environment.development
  /// The zone in which devices report conflicts to each other; nil keeps each journal to its device.
  public var journalZone: ZoneID? = ZoneID(zoneName: "ConflictJournal")
  /// A sync starts when nobody asked for one for this long ...
  public var quiet: Int64 = 250
  /// ... or this long after the first one.
  public var quietLimit: Int64 = 2_000
  /// The first and the longest wait after failures.
  public var backoffFirst: Int64 = 2_000
  /// The longest wait after failures.
  public var backoffLimit: Int64 = 120_000
  /// How long after the last successful fetch the next one comes by itself.
  public var fallback: Int64 = 86_400_000
  /// How long after every known zone was asked for the next sync does so again; a launch and the user's own request always do.
  public var zonePeriod: Int64 = 3_600_000
  /// How long after a push that is ahead of the feeds the coordinator looks again; each further time twice as long.
  public var emptyPushDelay: Int64 = 2_000
  /// How often the coordinator looks again after one push that is ahead of the feeds.
  public var emptyPushTries = 3
  /// How long after a subscription was made the coordinator fetches what may have changed before it was active.
  public var subscriptionSettling: Int64 = 5_000
  /// How long after the subscription was seen on the cloud the next sync looks whether it still is there.
  public var subscriptionPeriod: Int64 = 86_400_000
  /// How long after a check of the subscription, or a registration with the push service, that failed the next one comes.
  public var subscriptionRetry: Int64 = 3_600_000
  /// How long after a check of the subscription missing pushes lead to another one at the earliest.
  public var droughtPeriod: Int64 = 600_000
  /// Whether each look at the subscription deletes others that do the same, so that each change makes one push.
  public var removesExtraSubscriptions = true
  /// How long an answer may take before the request counts as lost.
  public var requestTimeout: Int64 = 60_000
  /// A change this old that came without its push is a sign that pushes do not arrive.
  public var droughtGrace: Int64 = 60_000
  /// The most records of one feed page, 1 ... 200.
  public var pageLimit = ZoneChangesQuery.pageLimit
  /// The most operations of one request, 1 ... 200.
  public var batchLimit = ModifyRecords.operationLimit
  /// About how many bytes of fields one request carries at most.
  public var batchBytes = 1_000_000
  /// Whether one bad record fails its whole batch.
  public var isAtomic = false
  /// How many writes of one record that another device keeps changing are allowed ...
  public var stormLimit = 8
  /// ... within this time, before the record is held back.
  public var stormWindow: Int64 = 60_000
  /// How much is taken on at once.
  package var limits = SyncLimits()
  /// What is asked of the cloud in which order: the protocol that the app's cloud speaks.
  package var conversation: any Conversation = CloudKitConversation()

  /// A configuration with the usual times and limits.
  public init(mergePolicy: MergePolicy, stampField: Name? = nil) {
    self.mergePolicy = mergePolicy
    self.stampField = stampField
  }
}
