import ZoneKitRecords

/// The settings of a coordinator, which an app gives it once. Times are in milliseconds.
public struct CoordinatorConfiguration: Sendable {
  /// What the app's cloud is, and what it does itself.
  public var traits = Traits()
  /// How the device decides conflicts, and which time stamps edits get.
  public var merging: Merging
  /// When a sync starts, and what it does first.
  public var pacing = Pacing()
  /// The sizes of requests, and the limits of repetitions.
  public var limits = Limits()
  /// The subscription, and what the device expects of pushes.
  public var pushes = Pushes()

  /// A configuration with the default times and limits.
  public init(mergePolicy: MergePolicy, stampField: Name? = nil) {
    merging = Merging(policy: mergePolicy, stampField: stampField)
  }

  /// Whether the app wants pushes.
  package var wantsPushes: Bool { pushes.subscriptionID != nil }

  /// How often a device without pushes fetches, in milliseconds.
  private static let fallbackWithoutPushes: Int64 = 900_000

  /// Makes the device do without pushes: it has no subscription and no push token, expects no push for any change, and
  /// fetches more often without a trigger.
  package mutating func goWithoutPushes() {
    pushes.subscriptionID = nil
    traits.announcedTypes = []
    pacing.fallback = min(pacing.fallback, Self.fallbackWithoutPushes)
  }

  /// The zone in which this device reports its decisions; nil if it reports none.
  var reportZone: ZoneID? { traits.arbiter == .device ? traits.journalZone : nil }

  /// The field that does not count when the device recognises a version as its own; nil if all fields count.
  var ignoredField: Name? { traits.arbiter == .cloud ? merging.stampField : nil }
}

extension CoordinatorConfiguration {
  /// Who decides between two versions of a record that were made independently.
  public enum Arbiter: String, CaseIterable, Hashable, Sendable {
    /// The device that meets the conflict, by the merge policy and the rule for deletions. The cloud refuses a save
    /// that is not based on its version.
    case device
    /// The cloud. It compares each save with its version, keeps one of the two and answers with it
    /// (`RecordResult.kept`), which the device takes as final. It writes the other one into the journal's zone. It may
    /// lower the time stamp in the field `stampField`. Its change tags are texts that become longer or greater with
    /// each version.
    case cloud
  }

  /// The feeds that a sync reads.
  public enum Feeds: Hashable, Sendable {
    /// The database's feed, and those of the zones that it lists.
    case database
    /// Those of these zones. A sync for a push that names one of them reads only that one. Nobody reports the deletion
    /// of a zone, so one that the device knows and the cloud does not have counts as lost.
    case zones([ZoneID])
  }

  /// What the app's cloud is, and what it does itself.
  public struct Traits: Sendable {
    /// The database that the coordinator syncs: private or shared. The public database has no feed of changes (CloudKit
    /// Web Services, a.0), so a coordinator of it cannot be made.
    public var scope = DatabaseScope.private
    /// The feeds that a sync reads.
    public var feeds = Feeds.database
    /// Who decides conflicts.
    public var arbiter = Arbiter.device
    /// The types in the order in which their records are sent, such as owners before what they own. A batch then has
    /// records of one type, the oldest change first. Records of other types follow. If the list is empty, records of
    /// all types are sent in the order of their changes.
    public var typeOrder: [Name] = []
    /// The types of the records that only the cloud writes, such as sums. A device never sends them: those that the
    /// cloud loses it makes again.
    public var derivedTypes: Set<Name> = []
    /// The types whose changes by other devices are announced by pushes; nil for all. If only some are, a push can
    /// precede records that belong to its own, so a sync for another reason does not shorten its quiet time: another
    /// one follows.
    public var announcedTypes: Set<Name>?
    /// The zone with the reports of conflicts, which the devices write, or a server-arbitrated cloud; nil if each
    /// device keeps its own journal.
    public var journalZone: ZoneID? = ZoneID(zoneName: "ConflictJournal")
    /// Whether the cloud is a database without a feed of changes and without versions of rows, which decides conflicts itself.
    /// A read of a zone then has all its records, and those that it lacks are gone. A save has only the fields that the
    /// user changed; the last one wins. A deletion wins against an edit.
    package var isPlainDatabase = false
    /// The conversation with the app's cloud, which determines the order of requests.
    package var conversation: any Conversation = CloudKitConversation()
  }
}

extension CoordinatorConfiguration {
  /// How a conflict between a deletion and an edit is decided.
  public enum DeleteRule: String, CaseIterable, Hashable, Sendable {
    /// The deletion wins. The edit is kept in the journal.
    case deleteWins
    /// The merge policy decides. The deleted version is nil in the conflict.
    case policy
  }

  /// Which time stamps the edits of one command get.
  public enum Stamping: String, CaseIterable, Hashable, Sendable {
    /// Each its own.
    case each
    /// All the same, which is later than those of all versions that they replace.
    case together
  }

  /// What happens at sign-in to edits that were made while signed out.
  public enum SignInRule: String, CaseIterable, Hashable, Sendable {
    /// They are uploaded into the new account.
    case upload
    /// They are moved to the journal.
    case setAside
  }

  /// How the device decides conflicts, and which time stamps edits get.
  public struct Merging: Sendable {
    /// The app's rule for conflicts. It is not used if the cloud decides them.
    public var policy: MergePolicy
    /// The field with the time of a record's last edit; nil if the app has none.
    public var stampField: Name?
    /// Which time stamps the edits of one command get.
    public var stamping = Stamping.each
    /// Puts the time stamp of an edit into the parts of a record that the edit changed, if parts have stamps of their
    /// own, such as the items of a list. Its arguments are the record's fields after the edit, those that it replaces
    /// (nil for a new record), and the stamp. It is used where `stampField` is set; nil if parts have no stamps.
    public var stampParts: (@Sendable (Fields, _ before: Fields?, WallTime) -> Fields)?
    /// How a conflict between a deletion and an edit is decided.
    public var deleteRule = DeleteRule.deleteWins
    /// What happens at sign-in to edits that were made while signed out. Edits of one account are never uploaded to
    /// another.
    public var signInRule = SignInRule.upload
    /// Rewrites, at sign-in, what was written while signed out. Then `signInRule` is not used. If nil, records go as
    /// they are, and the app's values are removed.
    public var adoptionRule: Adoption.Rule?
    /// Called before a zone that does not exist in the cloud any more is deleted on the device, for example to keep a
    /// copy. It may be called again for the same zone, because the decision counts only after the store has committed
    /// it. If nil, `ZoneRemoval.usualChoice` decides.
    public var zoneRemovalRule: (@Sendable (ZoneRemoval) -> ZoneRemoval.Choice)?
  }
}

extension CoordinatorConfiguration {
  /// What a sync does first.
  public enum Order: String, CaseIterable, Hashable, Sendable {
    /// It reads the feeds, and then sends local changes.
    case fetchFirst
    /// It sends local changes, and then reads the feeds. What these leave to send is sent at the end.
    case sendFirst
  }

  /// When a sync starts, and what it does first.
  public struct Pacing: Sendable {
    /// What a sync does first.
    public var order = Order.fetchFirst
    /// Whether a sync that only local changes caused also reads the feeds.
    public var localChangesFetch = false
    /// Whether local changes that wait are sent at once when the app leaves the foreground.
    public var sendsInBackground = false
    /// The debounce: a sync starts after this time without further requests.
    public var quiet: Int64 = 250
    /// The longest debounce, counted from the first request.
    public var quietLimit: Int64 = 2_000
    /// The times of waiting for further requests, for reasons that have others than the usual ones: `quiet` and
    /// `quietLimit` for pushes and local changes, none for the others. A push may have its own.
    public var paces: [SyncReason: Pace] = [:]
    /// The waiting time after the first failure. It doubles with each further one.
    public var backoffFirst: Int64 = 2_000
    /// The longest waiting time after failures.
    public var backoffLimit: Int64 = 120_000
    /// The time after the last successful fetch at which the next one starts without a trigger, while the app is in the
    /// foreground.
    public var fallback: Int64 = 86_400_000
    /// The time after which a sync for a background refresh ends, finished or not.
    public var refreshLimit: Int64 = 30_000
    /// The time after which a sync reads the feeds of all known zones again. After a launch and at the user's request
    /// it always does.
    public var zonePeriod: Int64 = 3_600_000
  }

  /// The sizes of requests, and the limits of repetitions. Devices rarely reach the defaults that are not public, so
  /// simulations use small values to test what happens beyond them.
  public struct Limits: Sendable {
    /// The time limit of an answer, after which the request counts as lost.
    public var requestTimeout: Int64 = 60_000
    /// The most records of a feed page, from 1 to 200.
    public var page = ZoneChangesQuery.pageLimit
    /// The most operations of a request, from 1 to 200.
    public var batch = ModifyRecords.operationLimit
    /// The approximate limit for the size of a request's fields, in bytes.
    public var batchBytes = 1_000_000
    /// Whether one failed record fails its whole batch.
    public var isAtomic = false
    /// The most writes of one record within `stormWindow` while another device keeps changing it. After that the record
    /// is held back.
    public var stormWrites = 8
    /// The time in which writes of a record are counted for `stormWrites`.
    public var stormWindow: Int64 = 60_000
    /// The number of pending records that are read at once to find the first one that may be sent, at least 1.
    package var sendPage = 100
    /// The number of pending records that are considered for one batch, at least 1.
    package var sendWindow = 1_000
    /// The number of zones in one request, at least 1.
    package var zones = 20
    /// The number of records that one request looks up, from 1 to 200.
    package var lookups = ModifyRecords.operationLimit
    /// How often the same records are looked up and sent again in one sync. After that they wait for the next sync.
    package var rounds = 10
  }

  /// The subscription, and what the device expects of pushes.
  public struct Pushes: Sendable {
    /// The ID of the subscription that all devices of the account share; nil if the app wants no pushes.
    public var subscriptionID: String? = "zonekit-database-changes"
    /// The push service's environment.
    public var environment = Environment.development
    /// Whether each check of the subscription deletes others with the same effect, so that each change makes one push.
    public var removesExtraSubscriptions = true
    /// The time after creating a subscription at which the coordinator fetches what may have changed before it was
    /// active.
    public var settling: Int64 = 5_000
    /// The time after a successful check of the subscription at which the next sync checks it again.
    public var checkPeriod: Int64 = 86_400_000
    /// The time after a failed check of the subscription, or a failed registration of the push token, until the next
    /// attempt.
    public var retry: Int64 = 3_600_000
    /// The time after a push that is ahead of the feeds until the coordinator fetches again. It doubles with each
    /// attempt.
    public var emptyPushDelay: Int64 = 2_000
    /// How often the coordinator fetches again after a push that is ahead of the feeds.
    public var emptyPushTries = 3
    /// The age from which a change without its push shows that pushes do not arrive.
    public var droughtGrace: Int64 = 60_000
    /// The shortest time between two checks of the subscription because of missing pushes.
    public var droughtPeriod: Int64 = 600_000
  }
}
