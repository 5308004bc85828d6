import ZoneKitPush
import ZoneKitRecords
import ZoneKitSync

/// One seed's choices.
package struct SwarmDraw {
  /// A kind of trouble, which a story has much of, some of, or none.
  package enum Trouble: String, CaseIterable, Hashable, Sendable {
    case kill
    case crashPoint
    case powerCut
    case forceQuit
    case background
    case offline
    case link
    case push
    case account
    case clock
    case reset
    case disk
    case twin
    case cloudCrash
    case serverError
    case serverOddity
    case zone
    case tokens
    case subscription
    case quota
    case visibility
    case tombstones
    case leak
    case keysReset
    case zoneLoss

    /// Those that are put into a story that was drawn without them: so a seed's story stayed what it was when they came.
    static let late: [Trouble] = [.keysReset, .zoneLoss]
    /// Those that a story is drawn from.
    static let usual = allCases.filter { !late.contains($0) }
  }

  var chance: SplitMix64
  /// Draws the late troubles.
  private var lateChance: SplitMix64
  /// Draws how much a device takes on at once.
  private var boundsChance: SplitMix64
  let devices: Int
  /// How many of a thousand deeds are of each kind, in the order of `Trouble.usual`.
  private var weights: [Int] = []
  private let accounts: [Name]

  private let allowed: Set<Trouble>

  init(seed: UInt64, devices: Int, allowed: Set<Trouble>) {
    self.allowed = allowed
    chance = SplitMix64(seed: seed &* 977 &+ 0x5eed)
    lateChance = SplitMix64(seed: seed &* 991 &+ 0x1a7e)
    boundsChance = SplitMix64(seed: seed &* 1_009 &+ 0xb0d5)
    self.devices = max(1, devices)
    let hasTwoAccounts = chance.next() % 8 == 0
    accounts = hasTwoAccounts && allowed.contains(.account) ? ["nanny", "granny"] : ["nanny"]
    // Most kinds are left out of most stories: a story with everything finds less than many with a few each.
    weights = Trouble.usual.map { _ in chance.next() % 10 < 6 ? 0 : [10, 30, 80][Int(chance.next() % 3)] }
    for (index, trouble) in Trouble.usual.enumerated() where !allowed.contains(trouble) { weights[index] = 0 }
  }

  mutating func number(_ bound: UInt64) -> UInt64 { chance.next() % max(1, bound) }

  mutating func device() -> Int { Int(number(UInt64(devices))) }

  mutating func oneOf<Element>(_ elements: [Element]) -> Element { elements[Int(number(UInt64(elements.count)))] }

  mutating func time(_ range: ClosedRange<Int64>) -> Int64 { Int64.random(in: range, using: &chance) }

  mutating func isHead() -> Bool { number(2) == 0 }

  // MARK: The beginning

  mutating func cast() -> [Story.Cast] {
    let names = ["A", "B", "C", "D", "E", "F", "G", "H"]
    return (0..<devices).map { device in
      Story.Cast(
        name: device < names.count ? names[device] : "D\(device)",
        account: device == 0 ? accounts[0] : oneOf(accounts + [accounts[0]]))
    }
  }

  mutating func adapt(_ configuration: inout CoordinatorConfiguration) {
    configuration.pageLimit = oneOf([1, 2, 3, 4, 200])
    configuration.batchLimit = oneOf([1, 2, 3, 4, 200])
    configuration.isAtomic = isHead()
    if boundsChance.next() % 3 == 0 { configuration.limits = bounds() }
  }

  /// Some of the bounds so small that stories meet them.
  private mutating func bounds() -> SyncLimits {
    var bounds = SyncLimits()
    if boundsChance.next() % 2 == 0 { bounds.sendPage = Int(boundsChance.next() % 4) + 1 }
    if boundsChance.next() % 2 == 0 { bounds.sendWindow = Int(boundsChance.next() % 4) + 1 }
    if boundsChance.next() % 2 == 0 { bounds.zones = 1 }
    if boundsChance.next() % 2 == 0 { bounds.lookups = Int(boundsChance.next() % 3) + 1 }
    if boundsChance.next() % 2 == 0 { bounds.rounds = Int(boundsChance.next() % 3) + 2 }
    return bounds
  }

  mutating func adapt(_ limits: inout Limits) {
    if allowed.contains(.visibility) { limits.visibleDelay = oneOf([0, 0, 0, 500, 1_500]) }
    if allowed.contains(.tombstones) { limits.firstFetchTombstones = oneOf([.all, .all, .none, .ownCreated]) }
    limits.duplicateSubscriptionError = oneOf([nil, nil, .serverRejectedRequest, .internalError])
  }

  mutating func policy() -> PushGateway.Policy {
    PushGateway.Policy(leakRate: allowed.contains(.leak) ? oneOf([0, 0, 0.3, 1]) : 0)
  }

  // MARK: The deeds

  mutating func deeds(lasting milliseconds: Int64, app: SimulatedApp) -> [Deed] {
    var deeds: [Deed] = []
    if allowed.contains(.link) {
      for device in 0..<devices where isHead() { deeds.append(.link(device, link())) }
    }
    var left = milliseconds
    while left > 0 {
      let gap = min(left, time(0...oneOf([0, 60, 400, 4_000, 40_000])))
      left -= max(gap, 1)
      if gap > 0 { deeds.append(.wait(gap)) }
      deeds += next(app)
    }
    for trouble in Trouble.late where allowed.contains(trouble) { add(trouble, to: &deeds, app) }
    return deeds
  }

  /// Puts a late trouble into some stories, at any place.
  private mutating func add(_ trouble: Trouble, to deeds: inout [Deed], _ app: SimulatedApp) {
    guard lateChance.next() % 10 < 3 else { return }
    for _ in 0...lateChance.next() % 3 {
      let zone = app.zones[Int(lateChance.next() % UInt64(app.zones.count))]
      let loss: Administration = trouble == .zoneLoss ? .loseZone(zone) : .resetEncryptedData(zone)
      deeds.insert(.administer("nanny", loss), at: Int(lateChance.next() % UInt64(deeds.count + 1)))
    }
  }

  private mutating func next(_ app: SimulatedApp) -> [Deed] {
    var pick = Int(number(1_000))
    for (trouble, weight) in zip(Trouble.usual, weights) {
      if pick < weight { return self.trouble(trouble, app) }
      pick -= weight
    }
    return edit(app)
  }

  private mutating func edit(_ app: SimulatedApp) -> [Deed] {
    guard let line = app.randomLine?(&chance) else { return [] }
    let first = device()
    // Now and then two users do something to one record at the very same moment.
    guard number(6) == 0 else { return [.app(first, line)] }
    let other = app.randomLine?(&chance) ?? line
    return [.app(first, line), .app(device(), isHead() ? line : other)]
  }

  private mutating func trouble(_ trouble: Trouble, _ app: SimulatedApp) -> [Deed] {
    let device = device()
    switch trouble {
    case .kill: return [.kill(device), .wait(time(0...5_000)), .start(device)]
    case .crashPoint: return [.crash(device, crashPoint())]
    case .powerCut: return powerCut(device)
    case .forceQuit: return [.forceQuit(device), .wait(time(0...60_000)), .start(device)]
    case .background: return [isHead() ? .background(device) : .foreground(device)]
    case .offline: return [.online(device, isHead())]
    case .link: return [.link(device, link())]
    case .push: return [push(device)]
    case .account: return account(device)
    case .clock: return [clock(device)]
    case .reset: return [.reset(device, oneOf([.tokens, .local(keepingPending: true), .local(keepingPending: false)]))]
    case .disk: return [disk(device)]
    case .twin: return [.restoreCopy(of: device, to: self.device())]
    case .cloudCrash:
      guard number(5) > 0 else { return [.fullCloudDisk(true), .wait(time(0...10_000)), .fullCloudDisk(false)] }
      return [isHead() ? .killCloud(restartAfter: time(0...20_000)) : .crashCloud(cloudCrashPoint())]
    case .serverError: return [.fault(serverError())]
    case .serverOddity: return [.fault(serverOddity(app))]
    case .zone: return zone(app)
    case .tokens: return [.administer(oneOf(accounts), tokens(app))]
    case .subscription: return subscription(app)
    case .visibility, .tombstones, .leak, .keysReset, .zoneLoss: return edit(app)
    case .quota: return isHead() ? [.fault(fullCloud())] : [.clearFaults]
    }
  }
}
