import ZoneKitEventLoop
import ZoneKitRecords

/// The reason why a service could not start or reach something, as a sentence for people.
package struct ServiceError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was wrong, where, and what would be right.
  package let description: String

  /// An error with that sentence.
  package init(_ description: String) { self.description = description }

  /// A failure of files.
  package init(_ error: StoreError) { description = "\(error)" }

  /// A failure of sockets.
  package init(_ error: LoopError) { description = "\(error)" }
}
