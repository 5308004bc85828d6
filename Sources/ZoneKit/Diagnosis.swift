import ZoneKitRecords
import ZoneKitSimulator
import ZoneKitSync

/// Describes why devices and their cloud do not agree, in lines of text.
struct Diagnosis {
  private let world: World
  private let devices: [Device]

  init(_ world: World, _ devices: [Device]) {
    self.world = world
    self.devices = devices
  }

  /// The difference, the devices that are behind, and the causes.
  func lines(after limit: Duration) -> [String] {
    var lines = ["no convergence within \(limit)"]
    if !world.cloud.isRunning { lines.append("the cloud does not run") }
    let difference = world.difference(among: devices)
    if let difference { lines += Self.lines(of: difference) }
    for device in devices where device.number == difference?.device.number || !device.isAtRest {
      lines += Self.lines(about: device)
    }
    return lines
  }

  private static func lines(of difference: Difference) -> [String] {
    let (device, id) = (difference.device, difference.id)
    var lines = ["\(id.words) differs"]
    if difference.count > 1 { lines[0] += ", as \(difference.count - 1) more of the zone do" }
    lines += fields(of: difference)
    let state = device.state
    let sighting = DeviceSighting(
      record: try? state.store.record(id), zone: state.coordinator.zoneStates.first { $0.zoneID == id.zoneID },
      values: (try? state.store.values()) ?? [:], isRunning: state.isRunning,
      pushWay: device.world.simulation.pushWay(to: device.number))
    guard let reason = DifferenceReason(of: sighting, cloud: difference.cloud, now: device.world.now) else {
      return lines
    }
    return lines + [reason.sentence(device: device.name)]
  }

  /// The fields that differ, with both values.
  private static func fields(of difference: Difference) -> [String] {
    let name = difference.device.name
    guard let own = difference.own else { return ["  the cloud has it, \(name) does not"] }
    guard let cloud = difference.cloud.content else { return ["  \(name) has it, the cloud does not"] }
    var lines = FieldMerge.differences(own.decoded, cloud.decoded).map { field in
      "  \(field): \(name) \(words(own[field])), cloud \(words(cloud[field]))"
    }
    if own.parent != cloud.parent {
      lines.append("  (parent): \(name) \(own.parent?.text ?? "none"), cloud \(cloud.parent?.text ?? "none")")
    }
    return lines
  }

  private static func words(_ value: FieldValue?) -> String {
    switch value {
    case nil: "none"
    case .string(let text)?: "\"\(text)\""
    case .int64(let number)?: "\(number)"
    case .double(let number)?: "\(number)"
    case .timestamp(let time)?: time.iso8601
    case .some(let value): "\(value)"
    }
  }

  // MARK: Diagnostics

  private static func lines(about device: Device) -> [String] {
    let diagnostics: DeviceDiagnostics
    do {
      diagnostics = try device.diagnostics()
    } catch {
      return ["\(device.name): its disk cannot be read: \(error)"]
    }
    let (push, fetch, send) = (diagnostics.push, diagnostics.fetch, diagnostics.send)
    let process = device.isRunning ? words(diagnostics.state) : "not running"
    var lines = [
      "\(device.name) is \(process)\(device.state.isComputing || !device.isRunning ? "" : " and suspended"), "
        + "its subscription is \(diagnostics.subscription.state.rawValue)",
      "  push: \(lastPush(to: device)); last received \(time(push.lastReceivedAt)), \(push.received) in all, "
        + "\(push.duplicates) of them twice",
      "  fetch: last ended \(time(fetch.lastFinishedAt)) because of \(fetch.lastReason ?? "nothing"): "
        + "\(fetch.lastResult ?? "none so far")",
      "  send: \(send.pending) pending, \(send.quarantined.count) in quarantine, last \(time(send.lastAt))",
    ]
    if let until = send.retryAfter { lines[3] += ", asked to wait until \(until.iso8601)" }
    lines += send.quarantined.map { "    \($0.recordID.recordName) is in quarantine: \($0.reason)" }
    return lines
  }

  private static func words(_ state: LiveState) -> String {
    switch state {
    case .idle, .debouncing, .fetching, .sending, .offline: state.rawValue
    case .backingOff: "backing off"
    case .signedOut: "signed out"
    case .notRunning: "not running"
    }
  }

  private static func time(_ time: WallTime?) -> String { time.map(\.iso8601) ?? "never" }

  /// Whether the last push to a device was delivered.
  private static func lastPush(to device: Device) -> String {
    let trace = device.world.simulation.trace
    let start = device.world.simulation.options.start
    for event in trace.events.reversed() {
      guard case .arrow(let arrow) = event.content, arrow.kind == .push, arrow.to == .device(device.number) else {
        continue
      }
      let sent = "last sent \(start.advanced(byMilliseconds: event.at.milliseconds).iso8601)"
      return switch arrow.fate {
      case .arrives(let at): "\(sent), on its way for \(at.milliseconds - event.at.milliseconds) ms"
      case .dies(_, let reason): "\(sent), \(reason)"
      }
    }
    return trace.keepsEvents ? "none was sent" : "the world keeps no events"
  }
}
