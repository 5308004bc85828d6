import ZoneKitCloud
import ZoneKitRecords

/// An atomic batch is written whole or not at all.
package enum AtomicBatchChecker {
  /// What breaks the invariant in a turn of the cloud; nil where nothing does.
  /// - Parameters:
  ///   - answers: The turn's answers.
  ///   - commits: How many requests each of its commits wrote.
  package static func finding(answers: [CloudResponse], commits: [Int]) -> Finding? {
    let refused = answers.count { if case .atomicFailure = $0 { true } else { false } }
    guard refused > 0, commits.contains(where: { $0 > answers.count - refused }) else { return nil }
    return Finding(.tornBatch, "an atomic batch failed, and some of it was written")
  }
}
