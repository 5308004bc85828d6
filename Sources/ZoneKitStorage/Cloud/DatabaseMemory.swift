import ZoneKitRecords
import ZoneKitCloud

/// The cached state of a database, so that a request need not read its files again.
final class DatabaseMemory {
  /// The database's own state, with staged changes.
  var state: DatabaseState
  /// The header of every zone that ever existed and can be read, with staged changes.
  private(set) var headers: [Name: ZoneHeader] = [:]
  /// The zones whose files cannot be read.
  private(set) var unreadable: [Name: UnreadableZone] = [:]
  /// What the administrator has to know of a readable zone.
  private(set) var findings: [Name: StoreFinding] = [:]
  /// The zones' files, as they were read.
  private(set) var files: [Name: ZonePlace] = [:]
  /// The zones whose files were checked in this turn.
  var checked: Set<Name> = []
  /// What was recorded of the zones when the database was read, or before one could not be read any more.
  private(set) var marks: [Name: ZoneMark]
  /// The database's folder within that of the cloud.
  let folder: String
  /// Whether the zone files differ from those that the database file lists, because one was copied in or removed.
  var isListStale = false
  /// New zones that the database file does not list yet.
  var unlisted: [Name] = []

  /// The state of a database, without its zones.
  init(state: DatabaseState, marks: [Name: ZoneMark] = [:], folder: String) {
    self.state = state
    self.marks = marks
    self.folder = folder
    updateSequence()
  }

  /// The headers, in ascending order of their names.
  var sortedHeaders: [ZoneHeader] { headers.values.sorted { $0.zoneName < $1.zoneName } }
  /// The unreadable zones, in ascending order of their names.
  var sortedUnreadable: [UnreadableZone] { unreadable.values.sorted { $0.name < $1.name } }

  /// Caches a zone that was read from that file.
  func put(_ header: ZoneHeader, from place: ZonePlace) {
    unreadable[header.zoneName] = nil
    findings[header.zoneName] = nil
    files[header.zoneName] = place
    stage(header)
  }

  /// Caches that a zone cannot be read from that file.
  func put(_ error: StoreError, of name: Name, from place: ZonePlace) {
    if let header = headers.removeValue(forKey: name) { marks[name] = ZoneMark(header) }
    unreadable[name] = UnreadableZone(name: name, error: error, known: marks[name])
    files[name] = place
    findings[name] = nil
    updateSequence()
  }

  /// Caches the file of a new zone.
  func note(_ place: ZonePlace, of name: Name) { files[name] = place }

  /// Makes the next use of the zone read its file again.
  func mistrust(_ name: Name) {
    files[name] = nil
    checked.remove(name)
  }

  /// Removes what is known of a zone that was never committed.
  func forget(_ name: Name) {
    unreadable[name] = nil
    files[name] = nil
  }

  /// Notes something of a readable zone.
  func note(_ finding: StoreFinding, of name: Name) { findings[name] = finding }

  /// Everything that the administrator has to know, in ascending order of the zones' names.
  var allFindings: [StoreFinding] {
    sortedUnreadable.map { .unreadable($0.name, $0.error) } + findings.keys.sorted().compactMap { findings[$0] }
  }

  /// What was last recorded of a zone.
  func mark(of name: Name) -> ZoneMark? { headers[name].map { ZoneMark($0) } ?? marks[name] }

  /// Caches a staged header.
  func stage(_ header: ZoneHeader) {
    headers[header.zoneName] = header
    state.add(header)
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

  /// The numbers of an unreadable zone are not used again.
  private func updateSequence() {
    state.sequence = unreadable.values.reduce(0) { max($0, $1.known?.databaseSequence ?? 0) }
    state.run = 0
    state.gaps = []
    for header in headers.values { state.add(header) }
  }
}
