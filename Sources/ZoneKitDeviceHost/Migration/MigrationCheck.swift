/// The result of comparing a device with the server at the end of a migration.
package struct MigrationCheck: Hashable, Sendable {
  /// The tables whose numbers of rows differ, a sentence for each.
  package var countMismatches: [String]
  /// The values that the server computed and that differ, such as balances, a sentence for each.
  package var balanceMismatches: [String]

  /// A comparison in which those things differ.
  package init(countMismatches: [String] = [], balanceMismatches: [String] = []) {
    self.countMismatches = countMismatches
    self.balanceMismatches = balanceMismatches
  }

  /// Whether both sides are the same.
  package var isClean: Bool { countMismatches.isEmpty && balanceMismatches.isEmpty }
}
