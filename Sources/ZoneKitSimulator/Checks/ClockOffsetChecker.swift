import ZoneKitSync

/// A device knows the difference to the cloud's clock from the last answer to a save.
package struct ClockOffsetChecker: DeviceChecker {
  /// See `DeviceChecker`.
  package static let reads = LogEventKinds(facts: [.recordSent])

  /// The tolerated error of that difference, in milliseconds.
  private static var tolerance: Int64 { 60_000 }

  /// Whether the time of a saved version is that of its save. A cloud that decides may answer with an older version.
  private let isTimely: Bool

  /// A checker at the start of the log of a device with that configuration.
  package init(_ configuration: CoordinatorConfiguration) { isTimely = configuration.traits.arbiter == .device }

  /// See `DeviceChecker`.
  package mutating func take(_ entry: LogEntry, _ history: DeviceHistory) -> Finding? {
    guard isTimely, case .fact(.recordSent(let id, _?)) = entry.event, let saved = entry.device.record(id)?.server
    else {
      return nil
    }
    let said = saved.modified.at.milliseconds - entry.at.wall.milliseconds
    let known = entry.device.value(.clockOffset)?.integer ?? 0
    guard abs(said - known) > Self.tolerance else { return nil }
    return Finding(
      .diagnostics, "the device takes the cloud's clock to be \(known) ms ahead, and an answer said \(said) ms")
  }
}
