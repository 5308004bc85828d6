import ZoneKitScenarios
import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSync

/// The random decisions of one seed.
package struct SwarmDraw {
  /// A kind of fault. A story has much of it, some, or none.
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
    case damage

    /// The kinds that are added to a finished draw, so that the stories of earlier versions stayed the same.
    static let late: [Trouble] = [.keysReset, .zoneLoss]
    /// The kinds of the draw itself. Damage is a kind of episode only.
    static let usual = allCases.filter { !late.contains($0) && $0 != .damage }
    /// The kinds that can happen to devices of a service of tables. It has no zones, subscriptions and quotas of an
    /// account, and shows each commit at once.
    static let ofTables: Set<Trouble> = [
      .kill, .crashPoint, .powerCut, .forceQuit, .background, .offline, .link, .push, .account, .clock, .reset, .disk,
      .twin, .cloudCrash, .serverError,
    ]
  }

  var chance: SplitMix64
  /// The generator of the late kinds.
  private var lateChance: SplitMix64
  /// The generator of the limits of a sync.
  private var boundsChance: SplitMix64
  let devices: Int
  /// How many of 1,000 steps are of each kind, in the order of `Trouble.usual`.
  private var weights: [Int] = []
  private var accounts: [Name]

  private(set) var allowed: Set<Trouble>

  init(seed: UInt64, devices: Int, allowed: Set<Trouble>) {
    self.allowed = allowed
    chance = SplitMix64(seed: seed &* 977 &+ 0x5eed)
    lateChance = SplitMix64(seed: seed &* 991 &+ 0x1a7e)
    boundsChance = SplitMix64(seed: seed &* 1_009 &+ 0xb0d5)
    self.devices = max(1, devices)
    let hasTwoAccounts = chance.next() % 8 == 0
    accounts = hasTwoAccounts && allowed.contains(.account) ? ["nanny", "granny"] : ["nanny"]
    // Most kinds are left out of most stories: one story with all kinds finds less than several with a few kinds each.
    weights = Trouble.usual.map { _ in chance.next() % 10 < 6 ? 0 : [10, 30, 80][Int(chance.next() % 3)] }
    for (index, trouble) in Trouble.usual.enumerated() where !allowed.contains(trouble) { weights[index] = 0 }
  }

  /// Prepares for devices of a service of tables: leaves out the kinds that such a service cannot have, and draws two
  /// accounts in more of the stories.
  mutating func useTables() {
    allowed.formIntersection(Trouble.ofTables)
    for (index, trouble) in Trouble.usual.enumerated() where !allowed.contains(trouble) { weights[index] = 0 }
    if allowed.contains(.account), lateChance.next() % 3 == 0 { accounts = ["nanny", "granny"] }
  }

  /// The options of a service of tables that differ from the defaults: access tokens that end soon.
  mutating func tableOptions() -> [ScenarioOption] {
    guard lateChance.next() % 3 == 0 else { return [] }
    return [.span(.tokenLife, TimeSpan(milliseconds: lateChance.next() % 2 == 0 ? 90_000 : 300_000))]
  }

  /// The options of a world with documents that differ from the defaults: messages travel as bytes in one of four worlds,
  /// because that takes longer.
  mutating func documentOptions() -> [ScenarioOption] {
    lateChance.next() % 4 == 0 ? [] : [.choice(.wire, "direct")]
  }

  mutating func number(_ bound: UInt64) -> UInt64 { chance.next() % max(1, bound) }

  mutating func device() -> Int { Int(number(UInt64(devices))) }

  /// The name of the device with that number, from 0.
  static func name(of device: Int) -> String {
    let names = ["A", "B", "C", "D", "E", "F", "G", "H"]
    return device < names.count ? names[device] : "D\(device)"
  }

  static func one(_ device: Int) -> DeviceChoice { .named([name(of: device)]) }

  mutating func oneOf<Element>(_ elements: [Element]) -> Element { elements[Int(number(UInt64(elements.count)))] }

  mutating func time(_ range: ClosedRange<Int64>) -> Int64 { Int64.random(in: range, using: &chance) }

  mutating func span(_ range: ClosedRange<Int64>) -> TimeSpan { TimeSpan(milliseconds: time(range)) }

  mutating func isHead() -> Bool { number(2) == 0 }

  // MARK: The beginning

  mutating func cast() -> [ScenarioDevice] {
    (0..<devices).map { device in
      let account = (device == 0 ? accounts[0] : oneOf(accounts + [accounts[0]])).text
      return ScenarioDevice(Self.name(of: device), account: account)
    }
  }

  /// The options of devices that differ from the defaults.
  mutating func deviceOptions(beside usual: CoordinatorConfiguration) -> [ScenarioOption] {
    let counts: [(CountOption, Int, Int)] = [
      (.pageLimit, oneOf([1, 2, 3, 4, 200]), usual.limits.page),
      (.batchLimit, oneOf([1, 2, 3, 4, 200]), usual.limits.batch),
    ]
    let isAtomic = isHead()
    var options = counts.filter { $0.1 != $0.2 }.map { ScenarioOption.count($0.0, $0.1) }
    if boundsChance.next() % 3 == 0 { options += bounds() }
    if isAtomic != usual.limits.isAtomic { options.append(.choice(.atomic, isAtomic ? "on" : "off")) }
    return options
  }

  /// Small values of some limits, so that stories reach them.
  private mutating func bounds() -> [ScenarioOption] {
    var options: [ScenarioOption] = []
    if boundsChance.next() % 2 == 0 { options.append(.count(.sendPage, Int(boundsChance.next() % 4) + 1)) }
    if boundsChance.next() % 2 == 0 { options.append(.count(.sendWindow, Int(boundsChance.next() % 4) + 1)) }
    if boundsChance.next() % 2 == 0 { options.append(.count(.zones, 1)) }
    if boundsChance.next() % 2 == 0 { options.append(.count(.lookups, Int(boundsChance.next() % 3) + 1)) }
    if boundsChance.next() % 2 == 0 { options.append(.count(.rounds, Int(boundsChance.next() % 3) + 2)) }
    return options + rareBounds()
  }

  /// Settings of devices that few stories have. A device that fetches by itself within minutes would never come to rest,
  /// and one that hardly looks again after a push without news would miss what a cloud shows late. The model of the records
  /// knows the usual rule for deletions alone.
  private mutating func rareBounds() -> [ScenarioOption] {
    let options: [ScenarioOption] = [
      .count(.batchBytes, 600), .count(.stormLimit, 3), .count(.rowLimit, 50),
      .span(.quiet, TimeSpan(milliseconds: 50)), .span(.localQuiet, TimeSpan(milliseconds: 50)),
      .span(.requestTimeout, TimeSpan(milliseconds: 3_000)), .span(.droughtGrace, TimeSpan(milliseconds: 1_000)),
    ]
    return options.filter { _ in boundsChance.next() % 8 == 0 }
  }

  /// The options of the cloud and the push service that differ from the defaults.
  mutating func cloudOptions() -> [ScenarioOption] {
    var options: [ScenarioOption] = []
    if allowed.contains(.visibility) {
      let delay = oneOf([0, 0, 0, 500, 1_500] as [Int64])
      if delay > 0 { options.append(.span(.visibleDelay, TimeSpan(milliseconds: delay))) }
    }
    if allowed.contains(.tombstones) {
      let deletions = oneOf(["all", "all", "none", "own"])
      if deletions != "all" { options.append(.choice(.firstFetchDeletions, deletions)) }
    }
    if let error = oneOf([nil, nil, "reject", "internalError"]) {
      options.append(.choice(.duplicateSubscription, error))
    }
    let leak = allowed.contains(.leak) ? oneOf([0, 0, 30, 100]) : 0
    return options + (leak > 0 ? [.count(.originLeak, leak)] : []) + rareOptions()
  }

  /// Settings of the cloud and the push service that few stories have.
  private mutating func rareOptions() -> [ScenarioOption] {
    let options: [ScenarioOption] = [
      .span(.pushBurst, TimeSpan(milliseconds: 5_000)), .span(.pushTimeToLive, TimeSpan(milliseconds: 60_000)),
      .choice(.slotPolicy, boundsChance.next() % 2 == 0 ? "oldest" : "random"),
      .span(.indexDelay, TimeSpan(milliseconds: 2_000)), .count(.pageBytes, 400), .count(.pushBudget, 1),
    ]
    return options.filter { _ in boundsChance.next() % 12 == 0 }
  }

  // MARK: The steps

  mutating func steps(lasting milliseconds: Int64, app: DeviceApp) -> [ScenarioStep] {
    var steps: [ScenarioStep] = []
    if allowed.contains(.link) {
      for device in 0..<devices where isHead() { steps.append(.link(.set(Self.one(device), link()))) }
    }
    var left = milliseconds
    while left > 0 {
      let gap = min(left, time(0...oneOf([0, 60, 400, 4_000, 40_000])))
      left -= max(gap, 1)
      if gap > 0 { steps.append(.wait(TimeSpan(milliseconds: gap))) }
      steps += next(app)
    }
    for trouble in Trouble.late where allowed.contains(trouble) { add(trouble, to: &steps, app) }
    return steps
  }

  /// Adds a late kind of fault to some stories, at any position.
  private mutating func add(_ trouble: Trouble, to steps: inout [ScenarioStep], _ app: DeviceApp) {
    guard lateChance.next() % 10 < 3 else { return }
    for _ in 0...lateChance.next() % 3 {
      let zone = app.zones[Int(lateChance.next() % UInt64(app.zones.count))].zoneName.text
      let loss: ZoneStep = trouble == .zoneLoss ? .lose(zone, of: Self.holder) : .resetKeys(zone, of: Self.holder)
      steps.insert(.zone(loss), at: Int(lateChance.next() % UInt64(steps.count + 1)))
    }
  }

  /// The owner of the zones and subscriptions that are affected if no other account is drawn.
  static let holder = Holder.account(holderName)
  /// Its name.
  static let holderName = "nanny"
  /// The name of the other account.
  static let strangerName = "granny"

  private mutating func next(_ app: DeviceApp) -> [ScenarioStep] {
    var pick = Int(number(1_000))
    for (trouble, weight) in zip(Trouble.usual, weights) {
      if pick < weight { return steps(of: trouble, app) }
      pick -= weight
    }
    return edit(app)
  }

  private mutating func edit(_ app: DeviceApp) -> [ScenarioStep] {
    guard let line = app.simulation.randomLine?({ chance.next() }) else { return [] }
    let first = Self.one(device())
    // Occasionally two users edit one record at the same time.
    guard number(6) == 0 else { return [.app(.perform(first, line))] }
    let other = app.simulation.randomLine?({ chance.next() }) ?? line
    return [.app(.perform(first, line)), .app(.perform(Self.one(device()), isHead() ? line : other))]
  }

  private mutating func steps(of trouble: Trouble, _ app: DeviceApp) -> [ScenarioStep] {
    let device = device()
    let (name, one, place) = (Self.name(of: device), Self.one(device), Place.device(Self.name(of: device)))
    switch trouble {
    case .kill: return [.life(.kill(place)), .wait(span(0...5_000)), .life(.start(place))]
    case .crashPoint: return [.life(.killAt(place, killPoint(), startingAgain: true))]
    case .powerCut: return powerCut(name)
    case .forceQuit: return [.life(.forceQuit(one)), .wait(span(0...60_000)), .life(.start(place))]
    case .background: return [.life(isHead() ? .background(one) : .foreground(one))]
    case .offline: return [.link(isHead() ? .online(one) : .offline(one))]
    case .link: return [.link(.set(one, link()))]
    case .push: return [.push(push(name))]
    case .account: return [.account(account(one))]
    case .clock: return [.clock(clock(name))]
    case .reset:
      return [
        .reset(oneOf([.tokens(name), .local(name, keepingPending: true), .local(name, keepingPending: false)]))
      ]
    case .disk: return [.disk(disk(name))]
    case .twin: return [.life(.restoreOnto(of: name, to: Self.name(of: self.device())))]
    case .cloudCrash: return cloudCrash()
    case .serverError: return [.cloud(serverError())]
    case .serverOddity: return [.cloud(serverOddity(app))]
    case .zone: return zone(app)
    case .tokens: return [tokens(app)]
    case .subscription:
      return [.cloud(isHead() ? .loseSubscription(of: Self.holder) : .muteSubscription(of: Self.holder))]
    case .visibility, .tombstones, .leak, .keysReset, .zoneLoss, .damage: return edit(app)
    case .quota: return [.cloud(isHead() ? fullCloud() : .behave)]
    }
  }

  private mutating func tokens(_ app: DeviceApp) -> ScenarioStep {
    let holder = Holder.account(oneOf(accounts).text)
    let zone = oneOf(app.zones).zoneName.text
    switch number(3) {
    case 0: return .zone(.expireTokens(zone, of: holder))
    case 1: return .cloud(.expireDatabaseTokens(of: holder))
    default:
      let time = WallTime(milliseconds: 1_800_000_000_000 + time(0...600_000))
      return .zone(.forgetDeletions(zone, of: holder, before: time))
    }
  }
}
