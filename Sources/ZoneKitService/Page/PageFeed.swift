import ZoneKitEventLoop
import ZoneKitRecords
import ZoneKitWire

/// What the live page gets besides facts: the view of devices and cloud, and the answered requests. It looks at the devices only
/// while somebody looks at the page.
final class PageFeed {
  /// The number of requests that are kept for a page that opens.
  static let requestLimit = 200
  /// The least time between two looks, in milliseconds. After one that took long it is longer, so that looking at many devices
  /// takes a third of a processor at most.
  static let pause: Int64 = 400

  /// How far one reader is.
  struct Position {
    /// The number of the last view that it has; 0 for none.
    var view = 0
    /// The number of the last request that it has.
    var request: UInt64 = 0
  }

  /// Called when there is something new to send.
  var onChange: () -> Void = {}
  /// The name of the device with that ID; nil if none has it.
  var name: (String) -> String? = { _ in nil }
  private let loop: Loop
  private let observe: (AgreementCache) -> PageObservation
  private var requests = FactRing<AnsweredRequest>(capacity: requestLimit)
  private var view: PageView?
  private var cache = AgreementCache()
  private var viewNumber = 0
  /// The whole view and its last change as events, which all readers share; nil until one needs them.
  private var events: (whole: [UInt8]?, part: [UInt8]?) = (nil, nil)
  private var lastChanges: JSON = .null
  private var readers = 0
  private var isLooking = false
  private lazy var timer = Timer(on: loop) { [unowned self] in self.look() }

  /// A feed for a loop. `observe` prepares a look.
  init(on loop: Loop, observe: @escaping (AgreementCache) -> PageObservation) {
    self.loop = loop
    self.observe = observe
  }

  // MARK: Readers

  /// A reader came.
  func opened() {
    readers += 1
    if !isLooking, !timer.isScheduled { look() }
  }

  /// A reader went.
  func closed() { readers -= 1 }

  /// The events that a reader at that position lacks, without more than `limit` requests; empty if it has all.
  func events(after position: inout Position, limit: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    if position.view < viewNumber, let view {
      bytes += event(of: view, isNext: position.view > 0 && position.view == viewNumber - 1)
      position.view = viewNumber
    }
    for entry in requests.read(after: position.request, limit: limit).entries {
      position.request = entry.number
      guard entry.payload.method != "GET" || entry.payload.family != .control else { continue }
      bytes += ServerSentEvent(event: "request", data: json(entry)).bytes
    }
    return bytes
  }

  /// The view, or its last change, as an event that is encoded once.
  private func event(of view: PageView, isNext: Bool) -> [UInt8] {
    if let known = isNext ? events.part : events.whole { return known }
    let bytes = ServerSentEvent(event: isNext ? "part" : "view", data: isNext ? lastChanges : view.json).bytes
    if isNext { events.part = bytes } else { events.whole = bytes }
    return bytes
  }

  // MARK: Requests

  /// A request was answered at that time. What the page and other tools ask of the control interface is not shown.
  func answered(_ request: AnsweredRequest, at time: WallTime) {
    requests.record(request, at: time)
  }

  private func json(_ entry: FactRing<AnsweredRequest>.Entry) -> JSON {
    let request = entry.payload
    return [
      "number": .integer(Int64(entry.number)), "at": .string(entry.at.iso8601),
      "protocol": .string(request.family.rawValue), "method": .string(request.method), "path": .string(request.path),
      "status": request.status.map { .integer(Int64($0)) } ?? .null, "milliseconds": .integer(request.milliseconds),
      "bytes": request.bytes.map { .integer(Int64($0)) } ?? .null,
      "device": request.device.map { .string(name($0) ?? $0) } ?? .null,
      "fault": request.fault.map { .string($0) } ?? .null,
    ]
  }

  // MARK: Looking

  private func look() {
    guard readers > 0, !isLooking else { return }
    isLooking = true
    let observation = observe(cache)
    let isFirst = view == nil
    let begunAt = loop.now
    BackgroundWork.run(on: loop) {
      observation.view(outline: isFirst)
    } finish: { [weak self] in
      self?.looked($0.0, $0.1, since: begunAt)
    }
  }

  private func looked(_ view: PageView, _ cache: AgreementCache, since begunAt: Int64) {
    isLooking = false
    self.cache = cache
    let former = self.view
    let changes = former.flatMap { view.changes(since: $0) }
    if former == nil || changes != nil {
      self.view = view
      viewNumber += 1
      lastChanges = changes ?? .null
      events = (nil, nil)
      onChange()
    }
    // The outline is followed by the comparison at once.
    if readers > 0 { timer.schedule(after: former == nil ? 0 : max(Self.pause, 2 * (loop.now - begunAt))) }
  }
}
