import ZoneKitTimeline
import ZoneKitDeviceHost
import ZoneKitScenarios
import ZoneKitPush
import ZoneKitRecords
import ZoneKitSync

/// A simulation of devices, a cloud and a push service in virtual time. It runs the machines of the real service and
/// simulates links, clocks and disks, with the conditions that a test sets.
///
/// Everything depends on the seed: the same calls with the same seed make the same trace, byte for byte.
package struct World {
  /// The options of a simulation.
  package struct Options: Sendable {
    /// The seed of all random decisions.
    package var seed: UInt64 = 1
    /// The true time at the start. The cloud's clock always has the true time.
    package var start = WallTime(milliseconds: 1_800_000_000_000)
    /// The container of the devices with the first app.
    package var container: Name = "iCloud.com.example.app"
    /// The scope of the databases that they sync.
    package var scope = DatabaseScope.private
    /// The cloud's limits.
    package var limits = Limits()
    /// The policy of the push service.
    package var policy = PushGateway.Policy(retiresReplacedTokens: true)
    /// Whether the trace keeps its events, for a timeline.
    package var keepsEvents = false
    /// Whether disks keep the transitions that made their content.
    package var keepsHistories = false
    /// Whether requests and answers travel as HTTP messages in the protocol of the device's app, instead of as values.
    package var carriesMessages = false

    /// The default options.
    package init() {}
  }

  /// Something that is due at a time, such as the arrival of a message.
  enum Work {
    case request(CloudVisit)
    case answer(device: Int, life: Int, ReadAhead.Exchange, Result<CloudResponse, CloudError>)
    case cloudTurn(life: Int)
    case cloudStart
    case gatewayTick
    case hello(device: Int, PushGateway.ConnectionID, token: String)
    case welcome(device: Int, PushGateway.ConnectionID)
    case closed(device: Int, PushGateway.ConnectionID, PushGateway.CloseReason?)
    case hangUp(PushGateway.ConnectionID)
    case push(device: Int, PushGateway.ConnectionID?, PushNotification)
    case tick(device: Int, MonotonicTime)
    case start(device: Int)
    case diskSync(device: Int, MonotonicTime)
    case tables(TableWork)
  }

  /// A request on its way to the cloud.
  struct CloudVisit {
    var device: Int
    var life: Int
    var exchange: ReadAhead.Exchange
    /// The request as it arrives.
    var request: CloudRequest
    var caller: Caller
    /// Whether it is the second copy of a request that a link duplicated.
    var isRepeat = false
  }

  /// The options of the simulation.
  package let options: Options
  /// The devices, by number.
  package internal(set) var devices = SimulatedDevices()
  /// The apps on the devices, by number, in the order of their first device.
  package internal(set) var apps: [DeviceApp] = []
  /// The number of the app of each account that is not one of the first app.
  var appOfAccount: [Name: Int] = [:]
  /// The links, by device.
  package var links: [Link] = []
  /// The cloud and its push service.
  package internal(set) var cloud: SimulatedCloud
  /// The faults of pushes, by device.
  package var pushFaults: [PushFaultInjector] = []
  /// The trace of the simulation.
  package internal(set) var trace: Trace
  /// The virtual time since the start.
  package internal(set) var now = MonotonicTime(milliseconds: 0)
  /// The checkers of invariants, with the violations found so far.
  package var checkers = Checkers()
  /// The history of change tokens; nil if it is not needed.
  package var tokenHistory: TokenHistory?
  /// The watch for the moment from which records differ; nil for none.
  var agreementWatch: AgreementWatch?
  /// The log of all devices; nil if it is not needed.
  package var worldLog: WorldLog?
  /// Changes answers on their way to devices; nil for none. Only answers that travel as messages can be changed.
  package var answerDamage: AnswerDamage?
  /// The number of events so far.
  package internal(set) var eventCount = 0

  /// The number of violations that are in the trace.
  var markedViolations = 0
  var queue = EventQueue<Work>()
  /// The client that is none of the devices and knows the protocol of documents alone.
  package var plainClient = PlainClient()
  /// The start of the cloud's process at which the plain client pushed last.
  var plainClientLife = 0
  /// The messages that wait at a clogged link, by device and direction.
  var clogged: [Clogged] = []
  var network: SplitMix64
  /// Draws the values that travel as messages to compare them.
  private var messageChance: SplitMix64
  var lastConnection: UInt64 = 0
  var lastSocket = 0
  /// The device and the push token of each connection to the push service, by the connection's number.
  var connections: [UInt64: (device: Int, token: String)] = [:]
  /// When the last message on an ordered link arrives, by device and direction.
  var lastArrival: [LinkWay: MonotonicTime] = [:]

  /// A simulation without devices.
  package init(_ options: Options = Options()) {
    self.options = options
    var seeds = SplitMix64(seed: options.seed)
    network = SplitMix64(seed: seeds.next())
    messageChance = SplitMix64(seed: options.seed ^ 0x3e55)
    cloud = SimulatedCloud(limits: options.limits, policy: options.policy, seed: seeds.next())
    trace = Trace(keepsEvents: options.keepsEvents)
  }

  /// Whether a value of an app with tables is written as a message and read again: each if requests travel as messages,
  /// otherwise one in a hundred, to compare them.
  mutating func writesMessage() -> Bool { options.carriesMessages || messageChance.next() % 100 == 0 }

  // MARK: Time

  /// The present true time.
  package var wall: WallTime { options.start.advanced(byMilliseconds: now.milliseconds) }

  /// The present time of both clocks of a device.
  package func moment(of device: Int) -> Moment {
    Moment(wall: wall.advanced(byMilliseconds: devices[device].clock.offset(at: now)), monotonic: now)
  }

  /// Lets that many milliseconds pass. Everything that is due happens.
  package mutating func wait(_ milliseconds: Int64) { run(until: now.advanced(byMilliseconds: milliseconds)) }

  /// Lets time pass up to that time.
  package mutating func run(until end: MonotonicTime) {
    while step(by: end) {}
    now = max(now, end)
  }

  /// Lets time pass until the condition holds, at most up to that time. Returns whether it holds.
  package mutating func run(until end: MonotonicTime, stopWhen isSo: (World) -> Bool) -> Bool {
    if isSo(self) { return true }
    while step(by: end) {
      if isSo(self) { return true }
    }
    now = max(now, end)
    return isSo(self)
  }

  /// Handles the next event if it is due by that time. Returns false if none is.
  mutating func step(by end: MonotonicTime) -> Bool {
    guard let (at, work) = queue.take(by: end) else { return false }
    now = max(now, at)
    eventCount += 1
    happen(work)
    markViolations()
    watchAgreement()
    return true
  }

  private mutating func happen(_ work: Work) {
    switch work {
    case .request(let visit): arrive(visit)
    case .answer(let device, let life, let exchange, let answer):
      if devices[device].life == life { arrives(.answer(exchange, answer), at: device) }
    case .cloudTurn(let life): endCloudTurn(life: life)
    case .cloudStart: startCloud()
    case .gatewayTick: expirePushes()
    case .hello(let device, let connection, let token): greet(connection, token: token, of: device)
    case .welcome(let device, let connection): welcomed(device, connection)
    case .closed(let device, let connection, let reason): pushClosed(device, connection, reason)
    case .hangUp(let connection): hangUp(connection)
    case .push(let device, let connection, let push): pushArrived(push, over: connection, at: device)
    case .tick(let device, let at): tick(device, at: at)
    case .start(let device): start(device)
    case .diskSync(let device, let due): syncDisk(device, at: due)
    case .tables(let work): happen(work)
    }
  }

  // MARK: Marks

  /// Adds the violations to the trace that are not in it yet.
  private mutating func markViolations() {
    while markedViolations < checkers.violations.count {
      note(.cloud, .broken, checkers.violations[markedViolations].description)
      markedViolations += 1
    }
  }

  /// Adds a mark to the trace.
  package mutating func note(
    _ lane: TraceEvent.Lane, _ kind: Mark.Kind, _ text: String, _ detail: @autoclosure () -> TraceDetail = TraceDetail()
  ) {
    trace.add(TraceEvent(at: now, .mark(Mark(lane, kind, text, traced(detail())))))
  }

  /// The detail of an event, if the trace keeps its events.
  func traced(_ detail: @autoclosure () -> TraceDetail) -> TraceDetail {
    trace.keepsEvents ? detail() : TraceDetail()
  }
}
