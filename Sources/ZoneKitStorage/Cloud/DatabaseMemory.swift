import ZoneKitRecords
import ZoneKitCloud

/// What is known of a database from its first use on, so that a request need not ask its files again.
final class DatabaseMemory {
  /// The database's own state, what is staged included.
  var state: DatabaseState
  /// The header of every zone that there ever was, what is staged included.
  private(set) var headers: [Name: ZoneHeader]
  /// Whether the zone files were found not to be those that the database file lists: one was copied in or taken away.
  var isListStale: Bool
  /// New zones that the database file does not list yet.
  var unlisted: [Name] = []

  /// A database as its files have it.
  init(state: DatabaseState, headers: [Name: ZoneHeader], isListStale: Bool) {
    self.state = state
    self.headers = headers
    self.isListStale = isListStale
    updateSequence()
  }

  /// The headers, ascending by name.
  var sortedHeaders: [ZoneHeader] { headers.values.sorted { $0.zoneName < $1.zoneName } }

  /// Notes a header that was staged.
  func stage(_ header: ZoneHeader) {
    headers[header.zoneName] = header
    state.sequence = max(state.sequence, header.databaseSequence)
  }

  /// Puts back a zone's header, or that there is none, after a rollback.
  func restore(_ header: ZoneHeader?, of name: Name) {
    headers[name] = header
    updateSequence()
  }

  /// Puts back the state after a rollback; the sequence follows from the zones.
  func restore(_ earlier: DatabaseState) {
    state = earlier
    updateSequence()
  }

  private func updateSequence() { state.sequence = headers.values.reduce(0) { max($0, $1.databaseSequence) } }
}
