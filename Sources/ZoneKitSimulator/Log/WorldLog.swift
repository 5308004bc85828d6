import ZoneKitRecords
import ZoneKitSync

/// The requests, facts and notifications of all devices, for tests that need more detail than the trace.
package struct WorldLog: Sendable {
  /// A request that a device sent.
  package struct Request: Sendable {
    /// The device's number.
    package var device: Int
    /// When it was sent.
    package var at: MonotonicTime
    /// The request.
    package var request: CloudRequest
  }

  /// All requests, in the order in which they were sent.
  package private(set) var requests: [Request] = []
  /// The facts that each device reported, in order.
  package private(set) var facts: [Int: [DeviceFact]] = [:]
  /// The records of which the app on each device was notified, in order.
  package private(set) var shown: [Int: [RecordID]] = [:]

  /// An empty log.
  package init() {}

  /// The next event happened on the device of that number.
  mutating func take(_ event: LogEvent, of device: Int, at now: MonotonicTime) {
    switch event {
    case .request(_, let request, _): requests.append(Request(device: device, at: now, request: request))
    case .fact(let fact): facts[device, default: []].append(fact)
    case .recordsShown(let ids): shown[device, default: []] += ids
    default: break
    }
  }
}
