import ZoneKitRecords

/// Draws episodes: short courses of events in one order, which single troubles make too rarely.
///
/// They have a generator of their own and are put into a story that was drawn without them, so that a story without
/// episodes is what it would be if there were none.
struct EpisodeDraw {
  /// What an episode is about.
  enum Episode: CaseIterable {
    /// A record is refused, another one that needs it goes nevertheless, and the first is edited.
    case family
    /// A device is away while others delete, and the cloud forgets the deletions.
    case absence
    /// The cloud's disk is full while users write.
    case fullDisk
    /// A zone cannot be fetched just when it changed.
    case failedZone
    /// A device that starts may not look at its subscription.
    case refusedCheck
    /// A record is deleted before its maker knows that the cloud took it, and somebody else has edited it.
    case unconfirmed
    /// A device may not look at its subscription, and nobody asks for anything for more than an hour.
    case longRefusal
    /// A device needs another push token, may not have one for a while, and others go on writing.
    case refusedToken
    /// The cloud refuses a record, and its user changes it before the device hears of that.
    case correction

    /// Those that were there first.
    static let early: [Episode] = [.family, .absence, .fullDisk, .failedZone, .refusedCheck]
    /// Those that came later and are drawn apart, each list by itself: so a seed's story stayed what it was in most stories.
    static let late: [[Episode]] = [[.unconfirmed, .longRefusal], [.refusedToken], [.correction]]
  }

  private var chance: SplitMix64
  private let devices: Int
  private let allowed: Set<SwarmDraw.Trouble>
  /// What the late ones are drawn from, once the others are.
  private let lateChance: SplitMix64

  init(seed: UInt64, devices: Int, allowed: Set<SwarmDraw.Trouble>) {
    chance = SplitMix64(seed: seed &* 0x9e37_79b9 &+ 0xeb1)
    lateChance = SplitMix64(seed: seed &* 0x85eb_ca6b &+ 0x1a7)
    self.devices = max(1, devices)
    self.allowed = allowed
  }

  /// Puts none to three episodes into a story, and a late one into a few.
  mutating func add(to deeds: inout [Deed], app: SimulatedApp) {
    if number(3) == 0 { for _ in 0..<(1 + number(3)) { add(oneOf: Episode.early, to: &deeds, app) } }
    chance = lateChance
    for episodes in Episode.late where number(12) == 0 { add(oneOf: episodes, to: &deeds, app) }
  }

  private mutating func add(oneOf episodes: [Episode], to deeds: inout [Deed], _ app: SimulatedApp) {
    let episode = episodes[number(episodes.count)]
    // What comes last is not mended by what comes later.
    let place = number(2) == 0 ? deeds.count : number(deeds.count + 1)
    deeds.insert(contentsOf: drawn(episode, app), at: place)
  }

  private mutating func drawn(_ episode: Episode, _ app: SimulatedApp) -> [Deed] {
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
    }
  }

  private mutating func family(_ app: SimulatedApp) -> [Deed] {
    guard let lines = app.familyLines?(number(1_000)) else { return [] }
    let device = number(devices)
    var refusal = Fault(
      telling: .refuseItems(.planted(.invalidArguments)),
      on: FaultScope(.saveRecords, recordNames: [lines.id.recordName]))
    refusal.times = 1 + number(2)
    return [
      .fault(refusal), .app(device, lines.parent), .app(device, lines.child), wait(500...8_000),
      .app(device, lines.edit), wait(0...3_000),
    ]
  }

  private mutating func absence(_ app: SimulatedApp) -> [Deed] {
    let device = number(devices)
    let other = (device + 1) % devices
    var deeds: [Deed] = ready(device) + ready(other) + lines(4, on: other, app)
    deeds += [wait(4_000...9_000), .online(device, false)]
    for _ in 0..<3 { if let line = deletion(app) { deeds.append(.app(other, line)) } }
    deeds.append(wait(4_000...9_000))
    for zone in app.zones { deeds.append(.administer("nanny", .purgeTombstones(zone, before: Self.longAfter))) }
    return deeds + [wait(0...4_000), .online(device, true), wait(0...6_000)]
  }

  private mutating func fullDisk(_ app: SimulatedApp) -> [Deed] {
    let device = number(devices)
    return ready(device) + [.fullCloudDisk(true)] + lines(3, on: device, app)
      + [wait(500...5_000), .fullCloudDisk(false)]
  }

  private mutating func failedZone(_ app: SimulatedApp) -> [Deed] {
    let zone = app.zones[number(app.zones.count)].zoneName
    var fault = Fault(
      telling: .refuseItems(.planted(number(2) == 0 ? .zoneBusy : .internalError)),
      on: FaultScope(.fetchZoneChanges, zoneName: zone))
    fault.times = 1 + number(devices)
    var deeds: [Deed] = []
    for device in 0..<devices { deeds += ready(device) }
    return deeds + [wait(3_000...6_000), .fault(fault)] + lines(4, on: number(devices), app) + [wait(1_000...6_000)]
  }

  private mutating func refusedCheck() -> [Deed] {
    let device = number(devices)
    let fault = Fault(
      telling: .refuse(.planted(.permissionFailure)), on: FaultScope(.lookupSubscriptions), times: 1)
    return ready(device) + [.fault(fault), .kill(device), wait(0...2_000), .start(device), wait(1_000...4_000)]
  }

  private mutating func correction(_ app: SimulatedApp) -> [Deed] {
    guard let lines = app.familyLines?(number(1_000)) else { return [] }
    let device = number(devices)
    let isAlone = number(2) == 0
    let error = CloudError.planted(isAlone ? .limitExceeded : .invalidArguments)
    let refusal = Fault(
      telling: isAlone ? .refuse(error) : .refuseItems(error),
      on: FaultScope(.saveRecords, recordNames: isAlone ? nil : [lines.id.recordName]), times: 1)
    return ready(device) + [
      wait(3_000...6_000), .app(device, lines.parent), wait(2_000...4_000), .fault(refusal), .app(device, lines.edit),
      wait(0...60), .app(device, number(2) == 0 ? lines.deletion : lines.parent), wait(0...6_000),
    ]
  }

  private mutating func refusedToken(_ app: SimulatedApp) -> [Deed] {
    let device = number(devices)
    let other = (device + 1) % devices
    let kind: RequestKind = number(2) == 0 ? .createPushToken : .registerPushToken
    let refusal = Fault(
      telling: .refuse(.planted(.permissionFailure)), on: FaultScope(kind), times: 1 + number(3))
    return ready(device) + ready(other) + lines(3, on: other, app) + [
      wait(0...4_000), .fault(refusal), .reset(device, .local(keepingPending: true)), wait(0...4_000),
    ] + lines(3, on: other, app) + [wait(1_000...6_000)]
  }

  private mutating func unconfirmed(_ app: SimulatedApp) -> [Deed] {
    guard let lines = app.familyLines?(number(1_000)) else { return [] }
    let device = number(devices)
    let other = (device + 1) % devices
    let loss = Fault(telling: .loseAnswer, on: FaultScope(.saveRecords), times: 1)
    return ready(device) + ready(other) + [
      wait(4_000...6_000), .fault(loss), .app(device, lines.parent), wait(300...700), .online(device, false),
      wait(2_000...4_000), .app(other, lines.edit), wait(1_000...2_000), .app(device, lines.deletion),
      .online(device, true), wait(0...3_000),
    ]
  }

  // MARK: Parts

  /// Later than anything in a story.
  private static let longAfter = WallTime(milliseconds: 1_900_000_000_000)

  private mutating func number(_ bound: Int) -> Int { Int(chance.next() % UInt64(max(1, bound))) }

  private mutating func wait(_ range: ClosedRange<Int64>) -> Deed { .wait(Int64.random(in: range, using: &chance)) }

  /// Ends what keeps a device from the cloud, so that the episode is about what it is about.
  private func ready(_ device: Int) -> [Deed] {
    [.clearFaults, .disk(device, .full(false)), .link(device, Link()), .start(device), .online(device, true)]
  }

  private mutating func lines(_ count: Int, on device: Int, _ app: SimulatedApp) -> [Deed] {
    (0..<count).compactMap { _ in app.randomLine?(&chance) }.map { .app(device, $0) }
  }

  /// One of the app's lines that deletes something, as far as a few tries find one.
  private mutating func deletion(_ app: SimulatedApp) -> String? {
    for _ in 0..<60 {
      if let line = app.randomLine?(&chance), line.hasPrefix("delete") { return line }
    }
    return nil
  }
}
