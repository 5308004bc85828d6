import ZoneKitScenarios
import ZoneKitRecords
import ZoneKitService

/// Expectations about a device's part of the diagnostics dump.
extension ProcessPlayer {
  /// The difference between the status and the expectation; nil if it holds or is about something else.
  func failureInStatus(of expectation: Expectation) throws(ProcessFailure) -> String? {
    switch expectation {
    case .rule(let device, let rule, let record):
      let found = try conflicts(of: device, over: record).first?["rule"]?.string
      return found == rule ? nil : "\(device) decided by \(found ?? "no rule: there was no conflict")"
    case .journal(let device, let record):
      return try conflicts(of: device, over: record).isEmpty ? "\(device)'s journal lacks it" : nil
    case .quarantine(let device, let record):
      let name = try name(of: record)
      let held = try status(of: device)["send"]?["quarantined"]?.array ?? []
      return held.contains { $0["record"]?.string == name } ? nil : "\(device) holds \(held.count) others back"
    case .subscription(let device, let state):
      let subscription = try status(of: device)["subscription"]
      // The origin is more exact than the state `active`.
      return subscription?["origin"]?.string == state ? nil : says(state, subscription?["state"])
    case .state(let device, let state):
      let status = try status(of: device)
      // An app with tables says of itself that it has nothing to do while nobody is signed in.
      let isSignedOut = try world.device(device).app.hasTables && status["user"]?.string == nil
      return says(state, isSignedOut ? "signedOut" : status["state"])
    case .statusLine(let device, let line):
      let seen = try status(of: device)["sync"]?["text"]?.string ?? ""
      return seen.hasPrefix(line) ? nil : "it reads \"\(seen)\""
    case .fetchReason(let device, let reason):
      let seen = try status(of: device)["fetch"]?["lastReason"]?.string ?? "unknown"
      return seen.split(separator: "+").contains { $0 == reason } ? nil : "it is \(seen)"
    case .drought(let device, let isOne):
      return try (status(of: device)["push"]?["drought"]?.bool ?? false) == isOne
        ? nil : "\(isOne ? "none" : "there is one")"
    case .storm(let device, let isOne):
      let storm = try status(of: device)["conflicts"]?["storm"] ?? .null
      return storm.isNull != isOne ? nil : "\(isOne ? "there is none" : storm.text())"
    case .fetchShown(let device, let span): return try failure(ofFetchOn: try world.device(device), within: span)
    default: return nil
    }
  }

  private func status(of device: String) throws(ProcessFailure) -> JSON {
    try world.status(of: try world.device(device))
  }

  private func says(_ wanted: String, _ found: JSON?) -> String? {
    found?.string == wanted ? nil : "it is \(found?.string ?? "unknown")"
  }

  /// The latest conflicts of a device, newest first; only those of `record` if one is given.
  private func conflicts(of device: String, over record: RecordReference?) throws(ProcessFailure) -> [JSON] {
    let all = try status(of: device)["conflicts"]?["last"]?.array ?? []
    guard let record else { return all }
    let name = try name(of: record)
    return all.filter { $0["record"]?.string == name }
  }

  /// The dump's times are those of the device's own clock.
  private func failure(ofFetchOn device: ProcessDevice, within span: TimeSpan) throws(ProcessFailure) -> String? {
    let text = try world.status(of: device)["fetch"]?["lastFinishedAt"]?.string
    guard let time = text.flatMap({ WallTime(iso8601: $0) }) else { return "\(device.name) has never fetched" }
    let now = device.standsAt ?? SystemClock.wall.advanced(byMilliseconds: device.clock.offset(at: world.now))
    let age = now.milliseconds - time.milliseconds
    return age <= span.milliseconds ? nil : "it was \(age) ms ago"
  }
}
