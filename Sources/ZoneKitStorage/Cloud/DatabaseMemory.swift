import ZoneKitRecords
import ZoneKitCloud

/// The cached state of a database, so that a request need not read its files again.
final class DatabaseMemory {
  /// The database's own state, with staged changes.
  var state: DatabaseState
  /// The header of every zone that ever existed, with staged changes.
  private(set) var headers: [Name: ZoneHeader]
  /// Whether the zone files differ from those that the database file lists, because one was copied in or removed.
  var isListStale: Bool
  /// New zones that the database file does not list yet.
  var unlisted: [Name] = []

  /// The state of a database as its files hold it.
  init(state: DatabaseState, headers: [Name: ZoneHeader], isListStale: Bool) {
    self.state = state
    self.headers = headers
    self.isListStale = isListStale
    updateSequence()
  }

  /// The headers, in ascending order of their names.
  var sortedHeaders: [ZoneHeader] { headers.values.sorted { $0.zoneName < $1.zoneName } }

  /// Caches a staged header.
  func stage(_ header: ZoneHeader) {
    headers[header.zoneName] = header
    state.sequence = max(state.sequence, header.databaseSequence)
  }

  /// Restores a zone's header after a rollback; removes it if nil.
  func restore(_ header: ZoneHeader?, of name: Name) {
    headers[name] = header
    updateSequence()
  }

  /// Restores the state after a rollback. The sequence is computed from the zones.
  func restore(_ earlier: DatabaseState) {
    state = earlier
    updateSequence()
  }

  private func updateSequence() { state.sequence = headers.values.reduce(0) { max($0, $1.databaseSequence) } }
}
