import ZoneKitRecords
import ZoneKitSync

/// What the devices of a world did, word for word, for those who ask more exactly than a line of the trace can tell.
package struct Diary: Sendable {
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
  package internal(set) var requests: [Request] = []
  /// The facts that each device told, in order.
  package internal(set) var facts: [Int: [DeviceFact]] = [:]
  /// The records that the app on each device was told of, in order.
  package internal(set) var shown: [Int: [RecordID]] = [:]

  /// A diary with nothing in it.
  package init() {}
}
