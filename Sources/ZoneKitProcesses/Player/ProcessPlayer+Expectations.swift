import ZoneKitScenarios
import ZoneKitRecords
import ZoneKitService

/// Expectations. Each is checked repeatedly until it holds, because processes do not report when they are done.
extension ProcessPlayer {
  func expect(_ expectation: Expectation, within: TimeSpan?) throws(ProcessFailure) {
    switch expectation {
    case .noWrites(let span):
      try expectQuiet("batchSent", of: world.devices, for: span)
      return
    case .noRequests(let name, let span):
      try expectQuiet("syncStarted", of: [try world.device(name)], for: span)
      return
    default: break
    }
    var found: [String] = []
    let patience = min(max(Self.patience, within?.milliseconds ?? 0), Self.longestPatience)
    let time = try world.waiter.wait(atMost: patience) { () throws(ProcessFailure) in
      do throws(ProcessFailure) {
        found = try self.findings(against: expectation)
      } catch {
        // A file may be read while its process writes it. A new zone file exists shortly before it can be read.
        guard error.kind == .unavailable else { throw error }
        found = [error.message]
      }
      return found.isEmpty
    }
    if time == nil { throw .broken("\(found.joined(separator: "; ")), and that for \(patience) ms") }
  }

  /// Lets the time pass and throws if one of the devices reports such an event.
  private func expectQuiet(_ event: String, of devices: [ProcessDevice], for span: TimeSpan) throws(ProcessFailure) {
    let marks = devices.map(\.mark)
    let watched = TimeSpan(milliseconds: min(span.milliseconds, Self.longestWatch))
    if watched != span { note = "watched for \(watched.text) only" }
    try pass(watched)
    for (device, mark) in zip(devices, marks) {
      let count = device.events(event, since: mark).count
      guard count == 0 else { throw .broken("\(device.name) reported \(event) \(count.counted("time"))") }
    }
  }
}
