import ZoneKitDeviceHost
import ZoneKitScenarios

/// What can occur in a random story: a single fault, or an episode, a short sequence of steps in a fixed order that
/// independently drawn faults rarely produce. All stories draw from this one table.
struct Occurrence: Sendable {
  /// The apps in whose stories it can occur.
  enum Apps: Hashable {
    case all
    case tables
    case photos
    case documents
    /// Documents of an app whose commands make logs with items.
    case logs
  }

  private let apps: Apps
  /// How many of 10,000 steps are of this kind in a story that has it, times 1, 3 or 8.
  let weight: Int
  /// The kinds of faults that it is made of.
  let needs: Set<SwarmDraw.Trouble>
  /// Whether it is an episode.
  let isEpisode: Bool
  /// Draws its steps.
  let steps: @Sendable (inout SwarmDraw, DeviceApp) -> [ScenarioStep]

  /// An episode.
  private init(
    _ apps: Apps, _ weight: Int, _ needs: Set<SwarmDraw.Trouble>,
    steps: @escaping @Sendable (inout SwarmDraw, DeviceApp) -> [ScenarioStep]
  ) {
    self.init(apps: apps, weight: weight, needs: needs, isEpisode: true, steps: steps)
  }

  private init(
    apps: Apps, weight: Int, needs: Set<SwarmDraw.Trouble>, isEpisode: Bool,
    steps: @escaping @Sendable (inout SwarmDraw, DeviceApp) -> [ScenarioStep]
  ) {
    self.apps = apps
    self.weight = weight
    self.needs = needs
    self.isEpisode = isEpisode
    self.steps = steps
  }

  /// A single fault.
  private static func fault(
    _ trouble: SwarmDraw.Trouble, weight: Int = 100,
    steps: @escaping @Sendable (inout SwarmDraw, DeviceApp) -> [ScenarioStep]
  ) -> Occurrence {
    Occurrence(apps: .all, weight: weight, needs: [trouble], isEpisode: false, steps: steps)
  }

  /// Whether it can occur in the stories of an app.
  func fits(_ app: DeviceApp) -> Bool {
    switch apps {
    case .all: true
    case .tables: app.hasTables
    case .photos: app.photoEdits != nil
    case .documents: app.documents != nil
    case .logs: app.documents != nil && app.kinds.contains { $0.word == "log" }
    }
  }

  /// All kinds.
  static let all = faults + ofAllApps + ofTables + ofDocuments

  /// Single faults.
  private static let faults: [Occurrence] = [
    .fault(.kill) { draw, _ in draw.killed() },
    .fault(.crashPoint) { draw, _ in [.life(.killAt(.device(draw.device()), draw.killPoint(), startingAgain: true))] },
    .fault(.powerCut) { draw, _ in draw.powerCut(draw.device()) },
    .fault(.forceQuit) { draw, _ in draw.forceQuit() },
    .fault(.background) { draw, _ in [.life(draw.isHead() ? .background(draw.one()) : .foreground(draw.one()))] },
    .fault(.offline) { draw, _ in [.link(draw.isHead() ? .online(draw.one()) : .offline(draw.one()))] },
    .fault(.link) { draw, _ in [.link(.set(draw.one(), draw.link()))] },
    .fault(.push) { draw, _ in [.push(draw.push(draw.device()))] },
    .fault(.account) { draw, _ in [.account(draw.account(draw.one()))] },
    .fault(.clock) { draw, _ in [.clock(draw.clock(draw.device()))] },
    .fault(.clock) { draw, _ in [draw.arrival(of: draw.device())] },
    .fault(.clock) { draw, app in draw.lineOfDays(app) },
    .fault(.reset) { draw, _ in [.reset(draw.reset(draw.device()))] },
    .fault(.disk) { draw, _ in [.disk(draw.disk(draw.device()))] },
    .fault(.twin) { draw, _ in [.life(.restoreOnto(of: draw.device(), to: draw.device()))] },
    .fault(.cloudCrash) { $0.cloudCrash($1) },
    .fault(.serverError) { draw, _ in [.cloud(draw.serverError())] },
    .fault(.serverOddity) { [.cloud($0.serverOddity($1))] },
    .fault(.zone) { $0.zone($1) },
    .fault(.tokens) { [$0.tokens($1)] },
    .fault(.subscription) { draw, _ in
      [.cloud(draw.isHead() ? .loseSubscription(of: SwarmDraw.holder) : .muteSubscription(of: SwarmDraw.holder))]
    },
    .fault(.quota) { draw, _ in [.cloud(draw.isHead() ? draw.fullCloud() : .behave)] },
    .fault(.keysReset, weight: 25) { [.zone(.resetKeys($0.zoneName($1), of: SwarmDraw.holder))] },
    .fault(.zoneLoss, weight: 25) { [.zone(.lose($0.zoneName($1), of: SwarmDraw.holder))] },
  ]

  /// Episodes of all apps.
  private static let ofAllApps: [Occurrence] = [
    // A record is refused, another one that needs it is sent nevertheless, and the first is edited.
    Occurrence(.all, 8, [.serverError]) { $0.family($1) },
    // A device is offline while others delete records, and the cloud forgets the deletions.
    Occurrence(.all, 8, [.offline, .tokens]) { $0.absence($1) },
    // The cloud's disk is full while users edit.
    Occurrence(.all, 8, [.cloudCrash]) { $0.fullDisk($1) },
    // The cloud's disk cannot be read for a while, in which its process may start.
    Occurrence(.all, 8, [.cloudCrash]) { $0.unreadableDisk($1) },
    // A zone cannot be fetched right after it changed.
    Occurrence(.all, 8, [.serverError]) { $0.failedZone($1) },
    // A device that starts cannot check its subscription.
    Occurrence(.all, 8, [.serverError, .kill]) { draw, _ in draw.refusedCheck() },
    // A device cannot check its subscription, and no sync is requested for more than an hour.
    Occurrence(.all, 3, [.serverError, .kill]) { draw, _ in
      draw.refusedCheck() + [draw.wait(3_600_000...3_900_000)]
    },
    // A record is deleted before its device knows that the cloud saved it, and another device has edited it.
    Occurrence(.all, 3, [.serverError, .offline]) { $0.unconfirmed($1) },
    // A device needs a new push token, cannot get one for a while, and others continue to edit.
    Occurrence(.all, 5, [.serverError, .reset]) { $0.refusedToken($1) },
    // The cloud refuses a record, and its user changes it before the device gets the answer.
    Occurrence(.all, 5, [.serverError]) { $0.correction($1) },
    // A record of the cloud is damaged, devices edit, and the cloud is repaired.
    Occurrence(.all, 3, [.damage]) { $0.damagedRecord($1) },
    // The cloud loses its last commits of a zone.
    Occurrence(.all, 3, [.damage]) { $0.tornCommits($1) },
    // The file of a zone is replaced by an older copy, while the cloud runs or is stopped.
    Occurrence(.all, 3, [.damage]) { $0.restoredZone($1) },
    // The change tokens of a device become unreadable for the cloud.
    Occurrence(.all, 3, [.damage]) { $0.damagedTokens($1) },
    // A zone is lost, and a device that was away makes it anew before the one with the latest records comes back.
    Occurrence(.all, 3, [.zoneLoss, .offline]) { $0.laggingRemake($1) },
    // The user removes the app's data, and writes on later, also on a device that was away.
    Occurrence(.all, 3, [.zoneLoss, .offline]) { $0.writingAfterPurge($1) },
    // The file of a zone is replaced by an older copy, and a device deletes records before it hears of that.
    Occurrence(.all, 3, [.damage, .offline]) { $0.unheardDeletion($1) },
    // The clock of a device is days off, and users edit the same records on it and on others.
    Occurrence(.all, 5, [.clock, .offline, .disk]) { $0.skewedClock($1) },
    // The cloud refuses a zone or items of it for a time, and says when to ask again.
    Occurrence(.all, 5, [.serverError]) { $0.timedRefusal($1) },
    // Something that happens rarely to a device or to the cloud.
    Occurrence(.all, 20, [.serverError, .push, .disk, .clock, .kill]) { $0.rareEvent($1) },
  ]

  /// Episodes with devices of a service of tables.
  private static let ofTables: [Occurrence] = [
    // The session of a device ends, and its user edits and signs in again.
    Occurrence(.tables, 10, [.account, .kill]) { $0.lostSession($1) },
    // A user writes while signed out and signs in, and the process dies or the disk fails then.
    Occurrence(.tables, 20, [.account, .kill, .crashPoint, .disk]) { $0.adoption($1) },
    // A client without stamps changes and removes rows that devices edit.
    Occurrence(.tables, 10, []) { $0.foreignWriter($1) },
    // Rows are removed for good while a device is away.
    Occurrence(.tables, 10, [.offline]) { $0.purge($1) },
    // The channel of a device is not joined, or its events are lost.
    Occurrence(.tables, 15, [.kill, .offline, .push]) { $0.deafChannel($1) },
    // Answers to saves are lost, and the same rows are edited meanwhile.
    Occurrence(.tables, 20, [.serverError, .kill]) { $0.cutAnswers($1) },
    // An expense is deleted while a device that is away edits it or its parts.
    Occurrence(.tables, 20, [.offline]) { draw, _ in draw.cascade() },
    // Another account uses a device for a while.
    Occurrence(.tables, 10, [.account]) { $0.handedOn($1) },
    // Events arrive more often than the quiet time of a device.
    Occurrence(.tables, 5, []) { draw, _ in draw.steadyStream() },
    // The app of a device comes to the front, or its link back, while its channel is being opened.
    Occurrence(.tables, 5, [.offline, .background]) { $0.slowOpening($1) },
    // The service judges tokens and stamps by another clock, or refuses requests.
    Occurrence(.tables, 20, []) { $0.requestTroubles($1) },
    // A user takes the upload of local rows back, while the process dies, the disk fails or answers are lost.
    Occurrence(.tables, 15, [.account, .kill, .crashPoint, .disk, .serverError]) { $0.takenBack($1) },
    // Users give a person photos while answers are lost, processes die or the person changes.
    Occurrence(.photos, 30, [.account, .kill, .serverError, .offline]) { $0.photos($1) },
  ]

  /// Episodes with documents.
  private static let ofDocuments: [Occurrence] = [
    // A client that knows only the protocol of documents changes one that devices edit.
    Occurrence(.logs, 30, [.offline]) { $0.plainClient($1) },
    // Two users edit one item while they are offline, at the same millisecond of their clocks or not.
    Occurrence(.logs, 30, [.offline, .clock]) { draw, _ in draw.sameItem() },
    // A user writes and leaves the app at once.
    Occurrence(.documents, 15, [.background]) { $0.leaving($1) },
    // The server loses all documents, and devices write.
    Occurrence(.documents, 15, [.zoneLoss]) { $0.lostDocuments($1) },
    // The server forgets deletions while a device is away.
    Occurrence(.documents, 15, [.offline]) { $0.purgedDeletions($1) },
    // A client that does not know a member of a document changes the document.
    Occurrence(.logs, 8, []) { $0.olderClient($1) },
    // A client that counts versions and merges as it likes changes one that devices edit.
    Occurrence(.logs, 10, []) { $0.literalClient($1) },
  ]
}
