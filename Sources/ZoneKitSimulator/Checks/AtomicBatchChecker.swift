import ZoneKitCloud
import ZoneKitRecords

/// An atomic batch is written completely or not at all.
package enum AtomicBatchChecker {
  /// The violation in a turn of the cloud; nil if there is none.
  /// - Parameters:
  ///   - answers: The answers of the turn to requests of CloudKit Web Services.
  ///   - transactions: The number of requests of other protocols in the turn. They can change zones too.
  ///   - commits: For each commit of the turn the number of requests that changed the zone.
  package static func finding(answers: [CloudResponse], transactions: Int, commits: [Int]) -> Finding? {
    let refused = answers.count { if case .atomicFailure = $0 { true } else { false } }
    let others = answers.count - refused + transactions
    guard refused > 0, commits.contains(where: { $0 > others }) else { return nil }
    return Finding(.tornBatch, "an atomic batch failed, and some of it was written")
  }
}
