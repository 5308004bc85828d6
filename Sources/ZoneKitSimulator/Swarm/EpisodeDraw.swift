import ZoneKitScenarios
import ZoneKitDeviceHost
import ZoneKitRecords

/// Draws episodes: short sequences of steps in a fixed order that independently drawn faults rarely produce.
///
/// They are drawn by their own generator and added to a story afterwards, so that the rest of the story does not depend
/// on them.
struct EpisodeDraw {
  /// A kind of episode.
  enum Episode: CaseIterable {
    /// A record is refused, another one that needs it is sent nevertheless, and the first is edited.
    case family
    /// A device is offline while others delete records, and the cloud forgets the deletions.
    case absence
    /// The cloud's disk is full while users edit.
    case fullDisk
    /// A zone cannot be fetched right after it changed.
    case failedZone
    /// A device that starts cannot check its subscription.
    case refusedCheck
    /// A record is deleted before its device knows that the cloud saved it, and another device has edited it.
    case unconfirmed
    /// A device cannot check its subscription, and no sync is requested for more than an hour.
    case longRefusal
    /// A device needs a new push token, cannot get one for a while, and others continue to edit.
    case refusedToken
    /// The cloud refuses a record, and its user changes it before the device gets the answer.
    case correction
    /// A record of the cloud is damaged, devices edit, and the cloud is repaired.
    case damagedRecord
    /// The cloud loses its last commits of a zone.
    case tornCommits
    /// The file of a zone is replaced by an older copy, while the cloud runs or is stopped.
    case restoredZone
    /// The change tokens of a device become unreadable for the cloud.
    case damagedTokens
    /// A zone is lost, and a device that was away makes it anew before the one with the latest records comes back.
    case laggingRemake
    /// The user removes the app's data, and writes on later, also on a device that was away.
    case writingAfterPurge
    /// The file of a zone is replaced by an older copy, and a device deletes records before it hears of that.
    case unheardDeletion

    /// The clock of a device is days off, and users edit the same records on it and on others.
    case skewedClock
    /// The cloud refuses a zone or items of it for a time, and says when to ask again.
    case timedRefusal

    /// Something that happens rarely to a device or to the cloud.
    case rareEvent

    /// The session of a device ends, and its user edits and signs in again.
    case lostSession
    /// A user writes while signed out and signs in, and the process dies or the disk fails then.
    case adoption
    /// A client without stamps changes and removes rows that devices edit.
    case foreignWriter
    /// Rows are removed for good while a device is away.
    case purge
    /// The channel of a device is not joined, or its events are lost.
    case deafChannel
    /// Answers to saves are lost, and the same rows are edited meanwhile.
    case cutAnswers
    /// An expense is deleted while a device that is away edits it or its parts.
    case cascade
    /// Another account uses a device for a while.
    case handedOn
    /// Users give a person photos while answers are lost, processes die or the person changes.
    case photos
    /// Events arrive more often than the quiet time of a device.
    case steadyStream
    /// The service judges tokens and stamps by another clock, or refuses requests.
    case requestTroubles
    /// The app of a device comes to the front, or its link back, while its channel is being opened.
    case slowOpening

    /// A client that knows only the protocol of documents changes one that devices edit.
    case plainClient
    /// A client that does not know a member of a document changes the document.
    case olderClient
    /// A client that counts versions and merges as it likes changes one that devices edit.
    case literalClient
    /// Two users edit one item while they are offline, at the same millisecond of their clocks or not.
    case sameItem
    /// A user writes and leaves the app at once.
    case leaving
    /// The server loses all documents, and devices write.
    case lostDocuments

    /// The kinds with documents.
    static let ofDocuments: [Episode] = [.plainClient, .plainClient, .sameItem, .sameItem, .leaving, .lostDocuments]
    /// A kind with documents that was added later, see `late`.
    static let lateOfDocuments: [Episode] = [.olderClient]
    /// Another one.
    static let laterOfDocuments: [Episode] = [.literalClient]
    /// The kinds with devices of a service of tables.
    static let ofTables: [Episode] = [
      .lostSession, .adoption, .adoption, .foreignWriter, .purge, .deafChannel, .cutAnswers, .cutAnswers, .cascade,
      .cascade, .handedOn,
    ]
    /// The kinds with channels.
    static let ofChannels: [Episode] = [.steadyStream, .slowOpening, .requestTroubles]
    /// The first kinds.
    static let early: [Episode] = [.family, .absence, .fullDisk, .failedZone, .refusedCheck]
    /// Kinds that were added later. Each list is drawn separately, so that most seeds kept their stories.
    static let late: [[Episode]] =
      [[.unconfirmed, .longRefusal], [.refusedToken], [.correction], damage, returns] + times
    /// Damage to what the cloud and devices have stored.
    private static let damage: [Episode] = [.damagedRecord, .tornCommits, .restoredZone, .damagedTokens]
    /// Clocks that are days off, and refusals that last a time.
    private static let times: [[Episode]] = [[.skewedClock], [.timedRefusal], [.skewedClock, .timedRefusal]]
    /// Zones that go, and devices that come back.
    private static let returns: [Episode] = [.laggingRemake, .writingAfterPurge, .unheardDeletion]
  }

  var chance: SplitMix64
  private let devices: [String]
  private let allowed: Set<SwarmDraw.Trouble>
  /// The generator of the late kinds.
  private let lateChance: SplitMix64
  /// The generator of the kinds with tables.
  let tableChance: SplitMix64

  init(seed: UInt64, devices: [String], allowed: Set<SwarmDraw.Trouble>) {
    chance = SplitMix64(seed: seed &* 0x9e37_79b9 &+ 0xeb1)
    lateChance = SplitMix64(seed: seed &* 0x85eb_ca6b &+ 0x1a7)
    tableChance = SplitMix64(seed: seed &* 0xc2b2_ae35 &+ 0x7ab)
    self.devices = devices
    self.allowed = allowed
  }

  /// Adds none to three episodes to a story, and a late one to a few stories.
  mutating func add(to steps: inout [ScenarioStep], app: DeviceApp) {
    if number(3) == 0 { for _ in 0..<(1 + number(3)) { add(oneOf: Episode.early, to: &steps, app) } }
    chance = lateChance
    for episodes in Episode.late where number(12) == 0 { add(oneOf: episodes, to: &steps, app) }
    if number(3) == 0 { for _ in 0..<(1 + number(2)) { add(oneOf: [.rareEvent], to: &steps, app) } }
  }

  mutating func add(oneOf episodes: [Episode], to steps: inout [ScenarioStep], _ app: DeviceApp) {
    let episode = episodes[number(episodes.count)]
    // The last episode of a story is not repaired by later steps.
    let place = number(2) == 0 ? steps.count : number(steps.count + 1)
    steps.insert(contentsOf: drawn(episode, app), at: place)
  }

  private mutating func drawn(_ episode: Episode, _ app: DeviceApp) -> [ScenarioStep] {
    switch episode {
    case .family: allowed.contains(.serverError) ? family(app) : []
    case .absence: allowed.isSuperset(of: [.offline, .tokens]) ? absence(app) : []
    case .fullDisk: allowed.contains(.cloudCrash) ? fullDisk(app) : []
    case .failedZone: allowed.contains(.serverError) ? failedZone(app) : []
    case .refusedCheck: allowed.isSuperset(of: [.serverError, .kill]) ? refusedCheck() : []
    case .unconfirmed: allowed.isSuperset(of: [.serverError, .offline]) ? unconfirmed(app) : []
    case .longRefusal:
      allowed.isSuperset(of: [.serverError, .kill]) ? refusedCheck() + [wait(3_600_000...3_900_000)] : []
    case .refusedToken: allowed.isSuperset(of: [.serverError, .reset]) ? refusedToken(app) : []
    case .correction: allowed.contains(.serverError) ? correction(app) : []
    case .damagedRecord: allowed.contains(.damage) ? damagedRecord(app) : []
    case .tornCommits: allowed.contains(.damage) ? tornCommits(app) : []
    case .restoredZone: allowed.contains(.damage) ? restoredZone(app) : []
    case .damagedTokens: allowed.contains(.damage) ? damagedTokens(app) : []
    case .skewedClock: allowed.isSuperset(of: [.clock, .offline, .disk]) ? skewedClock(app) : []
    case .timedRefusal: allowed.contains(.serverError) ? timedRefusal(app) : []
    case .laggingRemake: allowed.isSuperset(of: [.zoneLoss, .offline]) ? laggingRemake(app) : []
    case .writingAfterPurge: allowed.isSuperset(of: [.zoneLoss, .offline]) ? writingAfterPurge(app) : []
    case .unheardDeletion: allowed.isSuperset(of: [.damage, .offline]) ? unheardDeletion(app) : []
    case .rareEvent: allowed.isSuperset(of: [.serverError, .push, .disk, .clock, .kill]) ? rareEvent(app) : []
    case .lostSession: allowed.isSuperset(of: [.account, .kill]) ? lostSession(app) : []
    case .adoption: allowed.isSuperset(of: [.account, .kill, .crashPoint, .disk]) ? adoption(app) : []
    case .foreignWriter: foreignWriter(app)
    case .purge: allowed.contains(.offline) ? purge(app) : []
    case .deafChannel: allowed.isSuperset(of: [.kill, .offline, .push]) ? deafChannel(app) : []
    case .cutAnswers: allowed.isSuperset(of: [.serverError, .kill]) ? cutAnswers(app) : []
    case .cascade: allowed.contains(.offline) ? cascade() : []
    case .handedOn: allowed.contains(.account) ? handedOn(app) : []
    case .photos: allowed.isSuperset(of: [.account, .kill, .serverError, .offline]) ? photos(app) : []
    case .steadyStream: steadyStream()
    case .requestTroubles: requestTroubles(app)
    case .slowOpening: allowed.isSuperset(of: [.offline, .background]) ? slowOpening(app) : []
    case .plainClient: allowed.contains(.offline) ? plainClient(app) : []
    case .olderClient: olderClient(app)
    case .literalClient: literalClient(app)
    case .sameItem: allowed.isSuperset(of: [.offline, .clock]) ? sameItem() : []
    case .leaving: allowed.contains(.background) ? leaving(app) : []
    case .lostDocuments: allowed.contains(.zoneLoss) ? lostDocuments(app) : []
    }
  }

  private mutating func family(_ app: DeviceApp) -> [ScenarioStep] {
    guard let lines = app.simulation.familyLines?(number(1_000)) else { return [] }
    let device = device()
    let refusal = CloudStep.items(
      of: .save, named: lines.id.recordName.text, .invalidArguments, .next(1 + number(2)))
    return [
      .cloud(refusal), write(lines.parent, on: device), write(lines.child, on: device), wait(500...8_000),
      write(lines.edit, on: device), wait(0...3_000),
    ]
  }

  private mutating func absence(_ app: DeviceApp) -> [ScenarioStep] {
    let (device, other) = twoDevices()
    var steps: [ScenarioStep] = ready(device) + ready(other) + lines(4, on: other, app)
    steps += [wait(4_000...9_000), .link(.offline(.named([device])))]
    for _ in 0..<3 { if let line = deletion(app) { steps.append(write(line, on: other)) } }
    steps.append(wait(4_000...9_000))
    for zone in app.zones {
      steps.append(.zone(.forgetDeletions(zone.zoneName.text, of: SwarmDraw.holder, before: Self.longAfter)))
    }
    return steps + [wait(0...4_000), .link(.online(.named([device]))), wait(0...6_000)]
  }

  private mutating func fullDisk(_ app: DeviceApp) -> [ScenarioStep] {
    let device = device()
    return ready(device) + [.cloud(.fullDisk(true))] + lines(3, on: device, app)
      + [wait(500...5_000), .cloud(.fullDisk(false))]
  }

  private mutating func failedZone(_ app: DeviceApp) -> [ScenarioStep] {
    let zone = app.zones[number(app.zones.count)].zoneName.text
    let code: CloudErrorCode = number(2) == 0 ? .zoneBusy : .internalError
    let fault = CloudStep.items(of: .zoneFetch, in: zone, code, .next(1 + number(devices.count)))
    let start = devices.flatMap(ready)
    return start + [wait(3_000...6_000), .cloud(fault)] + lines(4, on: device(), app) + [wait(1_000...6_000)]
  }

  private mutating func refusedCheck() -> [ScenarioStep] {
    let device = device()
    let fault = CloudStep.answer(.next(1), .namedSubscriptionLookup, of: nil, .permissionFailure, retryAfter: nil)
    return ready(device) + [
      .cloud(fault), .life(.kill(.device(device))), wait(0...2_000), .life(.start(.device(device))),
      wait(1_000...4_000),
    ]
  }

  private mutating func correction(_ app: DeviceApp) -> [ScenarioStep] {
    guard let lines = app.simulation.familyLines?(number(1_000)) else { return [] }
    let device = device()
    let refusal: CloudStep =
      number(2) == 0
      ? .answer(.next(1), .save, of: nil, .limitExceeded, retryAfter: nil)
      : .items(of: .save, named: lines.id.recordName.text, .invalidArguments, .next(1))
    return ready(device) + [
      wait(3_000...6_000), write(lines.parent, on: device), wait(2_000...4_000), .cloud(refusal),
      write(lines.edit, on: device), wait(0...60),
      write(number(2) == 0 ? lines.deletion : lines.parent, on: device), wait(0...6_000),
    ]
  }

  private mutating func refusedToken(_ app: DeviceApp) -> [ScenarioStep] {
    let (device, other) = twoDevices()
    let operation: CloudOperation = number(2) == 0 ? .tokenCreation : .tokenRegistration
    let refusal = CloudStep.answer(.next(1 + number(3)), operation, of: nil, .permissionFailure, retryAfter: nil)
    return ready(device) + ready(other) + lines(3, on: other, app) + [
      wait(0...4_000), .cloud(refusal), .reset(.local(device, keepingPending: true)), wait(0...4_000),
    ] + lines(3, on: other, app) + [wait(1_000...6_000)]
  }

  private mutating func unconfirmed(_ app: DeviceApp) -> [ScenarioStep] {
    guard let lines = app.simulation.familyLines?(number(1_000)) else { return [] }
    let (device, other) = twoDevices()
    return ready(device) + ready(other) + [
      wait(4_000...6_000), .cloud(.loseAnswer(.next(1), .save, of: nil)), write(lines.parent, on: device),
      wait(300...700), .link(.offline(.named([device]))), wait(2_000...4_000), write(lines.edit, on: other),
      wait(1_000...2_000), write(lines.deletion, on: device), .link(.online(.named([device]))), wait(0...3_000),
    ]
  }

  // MARK: Parts

  /// Later than any time in a story.
  static let longAfter = WallTime(milliseconds: 1_900_000_000_000)

  mutating func number(_ bound: Int) -> Int { Int(chance.next() % UInt64(max(1, bound))) }

  mutating func wait(_ range: ClosedRange<Int64>) -> ScenarioStep {
    .wait(TimeSpan(milliseconds: Int64.random(in: range, using: &chance)))
  }

  mutating func device() -> String { devices[number(devices.count)] }

  /// A device, and the next one.
  mutating func twoDevices() -> (String, String) {
    let first = number(devices.count)
    return (devices[first], devices[(first + 1) % devices.count])
  }

  func write(_ line: String, on device: String) -> ScenarioStep { .app(.perform(.named([device]), line)) }

  /// Steps that end everything that keeps a device from the cloud, so that the episode can happen.
  func ready(_ device: String) -> [ScenarioStep] {
    let one = DeviceChoice.named([device])
    return [
      .cloud(.behave), .disk(.hasRoom(device)), .link(.set(one, Link())), .life(.start(.device(device))),
      .link(.online(one)),
    ]
  }

  mutating func lines(_ count: Int, on device: String, _ app: DeviceApp) -> [ScenarioStep] {
    (0..<count).compactMap { _ in app.simulation.randomLine?({ chance.next() }) }.map { write($0, on: device) }
  }

  /// A command of the app that deletes something, if a few attempts draw one.
  mutating func deletion(_ app: DeviceApp) -> String? {
    for _ in 0..<60 {
      if let line = app.simulation.randomLine?({ chance.next() }), line.hasPrefix("delete") { return line }
    }
    return nil
  }
}
