import ZoneKitDeviceHost
import ZoneKitScenarios

/// A kind of episode: a short sequence of steps in a fixed order that independently drawn faults rarely produce.
struct Episode: Sendable {
  /// The apps whose stories can have the episode.
  enum Apps: Hashable {
    case all
    case tables
    case photos
    case documents
  }

  private let apps: Apps
  /// How often it is drawn, compared with the others.
  private let weight: Int
  /// The kinds of faults that it is made of.
  let needs: Set<SwarmDraw.Trouble>
  /// Draws its steps.
  let steps: @Sendable (inout EpisodeDraw, DeviceApp) -> [ScenarioStep]

  private init(
    _ apps: Apps, _ weight: Int, _ needs: Set<SwarmDraw.Trouble>,
    steps: @escaping @Sendable (inout EpisodeDraw, DeviceApp) -> [ScenarioStep]
  ) {
    self.apps = apps
    self.weight = weight
    self.needs = needs
    self.steps = steps
  }

  /// Whether the stories of an app can have it.
  func fits(_ app: DeviceApp) -> Bool {
    switch apps {
    case .all: true
    case .tables: app.hasTables
    case .photos: app.photoEdits != nil
    case .documents: app.documents != nil
    }
  }

  /// One of the episodes, by weight; nil if there are none. `number` draws a number below its argument.
  static func drawn(from episodes: [Episode], by number: (Int) -> Int) -> Episode? {
    var left = number(episodes.reduce(0) { $0 + $1.weight })
    return episodes.first { episode in
      left -= episode.weight
      return left < 0
    }
  }

  /// All kinds.
  static let all = ofAllApps + ofTables + ofDocuments

  /// Those of all apps.
  private static let ofAllApps: [Episode] = [
    // A record is refused, another one that needs it is sent nevertheless, and the first is edited.
    Episode(.all, 3, [.serverError]) { $0.family($1) },
    // A device is offline while others delete records, and the cloud forgets the deletions.
    Episode(.all, 3, [.offline, .tokens]) { $0.absence($1) },
    // The cloud's disk is full while users edit.
    Episode(.all, 3, [.cloudCrash]) { $0.fullDisk($1) },
    // The cloud's disk cannot be read for a while, in which its process may start.
    Episode(.all, 3, [.cloudCrash]) { $0.unreadableDisk($1) },
    // A zone cannot be fetched right after it changed.
    Episode(.all, 3, [.serverError]) { $0.failedZone($1) },
    // A device that starts cannot check its subscription.
    Episode(.all, 3, [.serverError, .kill]) { episode, _ in episode.refusedCheck() },
    // A device cannot check its subscription, and no sync is requested for more than an hour.
    Episode(.all, 1, [.serverError, .kill]) { episode, _ in
      episode.refusedCheck() + [episode.wait(3_600_000...3_900_000)]
    },
    // A record is deleted before its device knows that the cloud saved it, and another device has edited it.
    Episode(.all, 1, [.serverError, .offline]) { $0.unconfirmed($1) },
    // A device needs a new push token, cannot get one for a while, and others continue to edit.
    Episode(.all, 2, [.serverError, .reset]) { $0.refusedToken($1) },
    // The cloud refuses a record, and its user changes it before the device gets the answer.
    Episode(.all, 2, [.serverError]) { $0.correction($1) },
    // A record of the cloud is damaged, devices edit, and the cloud is repaired.
    Episode(.all, 1, [.damage]) { $0.damagedRecord($1) },
    // The cloud loses its last commits of a zone.
    Episode(.all, 1, [.damage]) { $0.tornCommits($1) },
    // The file of a zone is replaced by an older copy, while the cloud runs or is stopped.
    Episode(.all, 1, [.damage]) { $0.restoredZone($1) },
    // The change tokens of a device become unreadable for the cloud.
    Episode(.all, 1, [.damage]) { $0.damagedTokens($1) },
    // A zone is lost, and a device that was away makes it anew before the one with the latest records comes back.
    Episode(.all, 1, [.zoneLoss, .offline]) { $0.laggingRemake($1) },
    // The user removes the app's data, and writes on later, also on a device that was away.
    Episode(.all, 1, [.zoneLoss, .offline]) { $0.writingAfterPurge($1) },
    // The file of a zone is replaced by an older copy, and a device deletes records before it hears of that.
    Episode(.all, 1, [.damage, .offline]) { $0.unheardDeletion($1) },
    // The clock of a device is days off, and users edit the same records on it and on others.
    Episode(.all, 2, [.clock, .offline, .disk]) { $0.skewedClock($1) },
    // The cloud refuses a zone or items of it for a time, and says when to ask again.
    Episode(.all, 2, [.serverError]) { $0.timedRefusal($1) },
    // Something that happens rarely to a device or to the cloud.
    Episode(.all, 8, [.serverError, .push, .disk, .clock, .kill]) { $0.rareEvent($1) },
  ]

  /// Those with devices of a service of tables.
  private static let ofTables: [Episode] = [
    // The session of a device ends, and its user edits and signs in again.
    Episode(.tables, 4, [.account, .kill]) { $0.lostSession($1) },
    // A user writes while signed out and signs in, and the process dies or the disk fails then.
    Episode(.tables, 8, [.account, .kill, .crashPoint, .disk]) { $0.adoption($1) },
    // A client without stamps changes and removes rows that devices edit.
    Episode(.tables, 4, []) { $0.foreignWriter($1) },
    // Rows are removed for good while a device is away.
    Episode(.tables, 4, [.offline]) { $0.purge($1) },
    // The channel of a device is not joined, or its events are lost.
    Episode(.tables, 4, [.kill, .offline, .push]) { $0.deafChannel($1) },
    // Answers to saves are lost, and the same rows are edited meanwhile.
    Episode(.tables, 8, [.serverError, .kill]) { $0.cutAnswers($1) },
    // An expense is deleted while a device that is away edits it or its parts.
    Episode(.tables, 8, [.offline]) { episode, _ in episode.cascade() },
    // Another account uses a device for a while.
    Episode(.tables, 4, [.account]) { $0.handedOn($1) },
    // Events arrive more often than the quiet time of a device.
    Episode(.tables, 2, []) { episode, _ in episode.steadyStream() },
    // The app of a device comes to the front, or its link back, while its channel is being opened.
    Episode(.tables, 2, [.offline, .background]) { $0.slowOpening($1) },
    // The service judges tokens and stamps by another clock, or refuses requests.
    Episode(.tables, 2, []) { $0.requestTroubles($1) },
    // A user takes the upload of local rows back, while the process dies, the disk fails or answers are lost.
    Episode(.tables, 6, [.account, .kill, .crashPoint, .disk, .serverError]) { $0.takenBack($1) },
    // Users give a person photos while answers are lost, processes die or the person changes.
    Episode(.photos, 12, [.account, .kill, .serverError, .offline]) { $0.photos($1) },
  ]

  /// Those with documents.
  private static let ofDocuments: [Episode] = [
    // A client that knows only the protocol of documents changes one that devices edit.
    Episode(.documents, 12, [.offline]) { $0.plainClient($1) },
    // Two users edit one item while they are offline, at the same millisecond of their clocks or not.
    Episode(.documents, 12, [.offline, .clock]) { episode, _ in episode.sameItem() },
    // A user writes and leaves the app at once.
    Episode(.documents, 6, [.background]) { $0.leaving($1) },
    // The server loses all documents, and devices write.
    Episode(.documents, 6, [.zoneLoss]) { $0.lostDocuments($1) },
    // The server forgets deletions while a device is away.
    Episode(.documents, 6, [.offline]) { $0.purgedDeletions($1) },
    // A client that does not know a member of a document changes the document.
    Episode(.documents, 3, []) { $0.olderClient($1) },
    // A client that counts versions and merges as it likes changes one that devices edit.
    Episode(.documents, 4, []) { $0.literalClient($1) },
  ]
}
