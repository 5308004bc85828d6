import ZoneKitRecords
import ZoneKitSync

/// What the devices of a world did, for tests that ask more exactly than a line of the trace says.
package struct WorldLog: Sendable {
  /// A request that a device sent.
  package struct Request: Sendable {
    /// The device's number.
    package var device: Int
    /// When it was sent.
    package var at: MonotonicTime
    /// What was asked.
    package var request: CloudRequest
  }

  /// All requests, in the order in which they were sent.
  package private(set) var requests: [Request] = []
  /// The facts that each device reported, in order.
  package private(set) var facts: [Int: [DeviceFact]] = [:]
  /// The records that the app on each device was notified of, in order.
  package private(set) var shown: [Int: [RecordID]] = [:]

  /// A log of nothing.
  package init() {}

  /// Takes in what happened next on the device of that number.
  mutating func take(_ event: LogEvent, of device: Int, at now: MonotonicTime) {
    switch event {
    case .request(_, let request, _): requests.append(Request(device: device, at: now, request: request))
    case .fact(let fact): facts[device, default: []].append(fact)
    case .recordsShown(let ids): shown[device, default: []] += ids
    default: break
    }
  }
}
