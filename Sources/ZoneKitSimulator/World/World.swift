import ZoneKitTimeline
import ZoneKitScenarios
import ZoneKitPush
import ZoneKitRecords
import ZoneKitSync

/// Devices, a cloud and a push service in virtual time: the machines that run for real, joined by links, clocks and disks
/// that do what they are told.
///
/// Everything comes from the seed: the same calls on a world of the same seed make the same trace, byte for byte.
package struct World {
  /// What a world is made with.
  package struct Options: Sendable {
    /// Decides everything that is left to chance.
    package var seed: UInt64 = 1
    /// The true time at the beginning, which the cloud's clock always shows.
    package var start = WallTime(milliseconds: 1_800_000_000_000)
    /// The container that all devices use.
    package var container: Name = "iCloud.com.example.app"
    /// The scope of the databases that all devices sync.
    package var scope = DatabaseScope.private
    /// The cloud's limits.
    package var limits = Limits()
    /// The push service's behaviour.
    package var policy = PushGateway.Policy()
    /// Whether the trace keeps its events, for a timeline.
    package var keepsEvents = false

    /// A world of seed 1 with a cloud as it usually is.
    package init() {}
  }

  /// Something on its way or due.
  enum Work {
    case request(CloudVisit)
    case answer(device: Int, life: Int, RequestID, Result<CloudResponse, CloudError>)
    case cloudTurn(life: Int)
    case cloudStart
    case gatewayTick
    case hello(device: Int, PushGateway.ConnectionID, token: String)
    case welcome(device: Int, PushGateway.ConnectionID)
    case closed(device: Int, PushGateway.ConnectionID, PushGateway.CloseReason?)
    case hangUp(PushGateway.ConnectionID)
    case push(device: Int, PushGateway.ConnectionID?, PushNotification)
    case reconnect(device: Int, life: Int)
    case tick(device: Int, MonotonicTime)
    case lifeTick(device: Int)
    case start(device: Int)
    case diskSync(device: Int, MonotonicTime)
  }

  /// A request that is on its way to the cloud.
  struct CloudVisit {
    var device: Int
    var life: Int
    var id: RequestID
    var request: CloudRequest
    var caller: Caller
    /// Whether it is the second of two that a link made of one.
    var isRepeat = false
  }

  /// What the world was made with.
  package let options: Options
  /// The devices, by number.
  package internal(set) var devices: [SimulatedDevice] = []
  /// The links, by device.
  package var links: [Link] = []
  /// The cloud and its push service.
  package internal(set) var cloud: SimulatedCloud
  /// What becomes of pushes on their way, by device.
  package var pushFaults: [PushFaults] = []
  /// All that happened.
  package internal(set) var trace: Trace
  /// Since the beginning.
  package internal(set) var now = MonotonicTime(milliseconds: 0)
  /// Checks everything that happens, and has the violations.
  package var checkers = Checkers()
  /// Which change tokens the cloud handed out to whom; nil where nobody wants to know.
  package var tokenHistory: TokenHistory?
  /// What the devices did; nil where nobody wants to know.
  package var worldLog: WorldLog?
  /// How many events there were: things that arrived or fell due.
  package internal(set) var eventCount = 0

  /// How many of the violations the trace has.
  var markedViolations = 0
  var queue = EventQueue<Work>()
  /// What waits at a clogged link, by device and way.
  var clogged: [Clogged] = []
  var network: SplitMix64
  var lastConnection: UInt64 = 0
  /// The device of each connection, by its number.
  var deviceOfConnection: [UInt64: Int] = [:]
  /// The push token that each connection's hello named, by its number.
  var tokens: [UInt64: String] = [:]
  /// When the last thing of an ordered link arrives, by device and way.
  var lastArrival: [LinkWay: MonotonicTime] = [:]

  /// An empty world.
  package init(_ options: Options = Options()) {
    self.options = options
    var seeds = SplitMix64(seed: options.seed)
    network = SplitMix64(seed: seeds.next())
    cloud = SimulatedCloud(limits: options.limits, policy: options.policy, seed: seeds.next())
    trace = Trace(keepsEvents: options.keepsEvents)
  }

  // MARK: Time

  /// The true time.
  package var wall: WallTime { options.start.advanced(byMilliseconds: now.milliseconds) }

  /// What both clocks of a device show.
  package func moment(of device: Int) -> Moment {
    Moment(wall: wall.advanced(byMilliseconds: devices[device].clock.offset(at: now)), monotonic: now)
  }

  /// Lets that many milliseconds pass, and everything happen that is due.
  package mutating func wait(_ milliseconds: Int64) { run(until: now.advanced(byMilliseconds: milliseconds)) }

  /// Lets time pass up to then.
  package mutating func run(until end: MonotonicTime) {
    while step(by: end) {}
    now = max(now, end)
  }

  /// Lets time pass until something is so, at most up to then; says whether it is so.
  package mutating func run(until end: MonotonicTime, stopWhen isSo: (World) -> Bool) -> Bool {
    if isSo(self) { return true }
    while step(by: end) {
      if isSo(self) { return true }
    }
    now = max(now, end)
    return isSo(self)
  }

  /// Lets the next thing happen, if it is due by then.
  private mutating func step(by end: MonotonicTime) -> Bool {
    guard let (at, work) = queue.take(by: end) else { return false }
    now = max(now, at)
    eventCount += 1
    happen(work)
    markViolations()
    return true
  }

  private mutating func happen(_ work: Work) {
    switch work {
    case .request(let visit): arrive(visit)
    case .answer(let device, let life, let id, let answer): hand(answer, to: id, of: device, life: life)
    case .cloudTurn(let life): endCloudTurn(life: life)
    case .cloudStart: startCloud()
    case .gatewayTick: expirePushes()
    case .hello(let device, let connection, let token): greet(connection, token: token, of: device)
    case .welcome(let device, let connection): welcomed(device, connection)
    case .closed(let device, let connection, let reason): pushClosed(device, connection, reason)
    case .hangUp(let connection): hangUp(connection)
    case .push(let device, let connection, let push): pushArrived(push, over: connection, at: device)
    case .reconnect(let device, let life): reconnectPush(device, life: life)
    case .tick(let device, let at): tick(device, at: at)
    case .lifeTick(let device): live(device) { $0.tick(at: $1) }
    case .start(let device): start(device)
    case .diskSync(let device, let due): syncDisk(device, at: due)
    }
  }

  // MARK: Marks

  /// Marks in the trace the violations that it does not have yet.
  private mutating func markViolations() {
    while markedViolations < checkers.violations.count {
      note(.cloud, .broken, checkers.violations[markedViolations].description)
      markedViolations += 1
    }
  }

  /// Writes a mark of the story's own into the trace.
  package mutating func note(_ lane: TraceEvent.Lane, _ kind: Mark.Kind, _ text: String) {
    trace.add(TraceEvent(at: now, .mark(Mark(lane, kind, text))))
  }
}
