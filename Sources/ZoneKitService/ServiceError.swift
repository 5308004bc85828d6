import ZoneKitEventLoop
import ZoneKitRecords

/// A failure to start or reach something, as a sentence for the user.
package struct ServiceError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong, where, and what would be right.
  package let description: String

  /// An error with that sentence.
  package init(_ description: String) { self.description = description }

  /// The error for a failure of files.
  package init(_ error: StoreError) { description = "\(error)" }

  /// The error for a failure of sockets.
  package init(_ error: LoopError) { description = "\(error)" }
}
