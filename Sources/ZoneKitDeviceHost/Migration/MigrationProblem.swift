import ZoneKitRecords

/// Why a migration does not begin or ends early.
package enum MigrationProblem: Error, Hashable, Sendable {
  /// Nobody is signed in.
  case notAuthenticated
  /// There are no local rows.
  case nothing
  /// Rows of a table were not sent.
  case upload(Name, String)
  /// Rows and balances could not be compared.
  case check(String)

  /// The sentence for users.
  package var text: String {
    switch self {
    case .notAuthenticated: "Not authenticated. Please sign in first."
    case .nothing: "No local data found to migrate."
    case .upload(let table, let detail): "Failed to upload \(table): \(detail)"
    case .check(let detail): "Failed to check the rows: \(detail)"
    }
  }
}
