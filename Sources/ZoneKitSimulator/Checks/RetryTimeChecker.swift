/// No request is sent before the retry time that the cloud gave.
package struct RetryTimeChecker: DeviceChecker {
  /// See `DeviceChecker`.
  package static let reads = LogEventKinds(events: [.request])

  /// A checker at the start of a log.
  package init() {}

  /// See `DeviceChecker`.
  package mutating func take(_ entry: LogEntry, _ history: DeviceHistory) -> Finding? {
    guard case .request(_, let request, _) = entry.event, let time = history.retryTime, entry.now < time else {
      return nil
    }
    let early = time.milliseconds - entry.now.milliseconds
    return Finding(.retry, "\(request.words) \(early) ms before the retry time that the cloud gave")
  }
}
