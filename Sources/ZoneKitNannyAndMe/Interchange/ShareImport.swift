import ZoneKitRecords
import ZoneKitSync

/// Merges a file with a device's records, by ID and with the conflict resolver.
///
/// The result is a list of edits for one transaction, and a report. Importing the same file again gives no edits: a
/// record that is equal within the file's precision, or newer on the device, is unchanged.
package struct ShareImport: Hashable, Sendable {
  /// The records to save, parents first; empty if the file contains nothing new.
  package private(set) var edits: [RecordEdit] = []
  /// What happened to each record of the file.
  package private(set) var report = ImportReport()
  private var taken: [BabyAction] = []

  /// Plans the import of a file. `now` and `clock` are only used to find stamps in the future.
  package init(_ bytes: [UInt8], into app: NannyApp, now: WallTime, clock: StampClock) throws(ShareFileError) {
    let file = try ShareFile(parsing: bytes)
    report.refused = file.refused
    report.keptOut = file.keptOut
    take(file.profile, app)
    for entry in Self.newest(of: file.entries, refused: &report.refused) { take(entry, app) }
    endRunning(app)
    edits += taken.map { RecordEdit($0, stamping: .asGiven) }
    let stamps = taken.map(\.updatedAt)
    report.farFutureStamps = stamps.filter { clock.isFarFuture($0, wall: now) }.count
  }

  /// Chooses one of several entries with the same ID with the conflict resolver. The others are refused.
  private static func newest(of entries: [ShareFile.Entry], refused: inout [ShareNote]) -> [ShareFile.Entry] {
    var kept: [ShareFile.Entry] = []
    var positions: [RecordID: Int] = [:]
    for entry in entries {
      guard let position = positions[entry.action.id] else {
        positions[entry.action.id] = kept.count
        kept.append(entry)
        continue
      }
      let wins = !isKept(kept[position].action, against: entry.action)
      let (winner, loser) = wins ? (entry, kept[position]) : (kept[position], entry)
      kept[position] = winner
      refused.append(ShareNote(loser.path, "the ID is also at \(winner.path); the newer of the two is used"))
    }
    return kept
  }

  private mutating func take(_ profile: Profile, _ app: NannyApp) {
    var profile = profile
    guard let local = app.profiles.profile(profile.id) else {
      edits.append(RecordEdit(profile, stamping: .asGiven))
      return report.added.append(profile.id)
    }
    profile.carried = local.carried
    let isSame = ShareFile.json(of: profile).bytes() == ShareFile.json(of: local).bytes()
    let ranks = (
      ActionConflictResolver.rank(of: RecordContent(local)), ActionConflictResolver.rank(of: RecordContent(profile))
    )
    guard !isSame, !ActionConflictResolver.decide(ranks.0, ranks.1).firstWins else {
      return report.unchanged.append(profile.id)
    }
    edits.append(RecordEdit(profile, stamping: .asGiven))
    report.updated.append(profile.id)
  }

  private mutating func take(_ entry: ShareFile.Entry, _ app: NannyApp) {
    var action = entry.action
    if let reason = Self.obstacle(to: action, app) { return report.refused.append(ShareNote(entry.path, reason)) }
    guard let local = app.log.action(action.id) else {
      taken.append(action)
      return report.added.append(action.id)
    }
    action.carried = local.carried
    guard !Self.isSame(action, local), !Self.isKept(local, against: action) else {
      return report.unchanged.append(action.id)
    }
    taken.append(action)
    report.updated.append(action.id)
  }

  /// The reason why an action cannot be merged with the device's record of the same ID; nil if it can.
  private static func obstacle(to action: BabyAction, _ app: NannyApp) -> String? {
    if app.profiles.profile(action.id) != nil || action.id.recordName == action.parent {
      return "the ID is that of a profile"
    }
    if app.log.refused.contains(where: { $0.id == action.id }) {
      return "the device has a record of that ID that this version of the app cannot read"
    }
    guard let owner = app.log.action(action.id)?.parent, owner != action.parent else { return nil }
    return "the ID is that of an action of profile \(owner)"
  }

  /// Whether both are equal within the precision of the file, which is a second. A different stamp alone does not
  /// count.
  private static func isSame(_ first: BabyAction, _ second: BabyAction) -> Bool {
    var second = second
    second.updatedAt = first.updatedAt
    return ShareFile.json(of: first).bytes() == ShareFile.json(of: second).bytes()
  }

  private static func isKept(_ local: BabyAction, against other: BabyAction) -> Bool {
    let first = ActionConflictResolver.rank(of: RecordContent(local))
    return ActionConflictResolver.decide(first, ActionConflictResolver.rank(of: RecordContent(other))).firstWins
  }

  /// Applies the running-action rule to the device's actions with the file's changes.
  private mutating func endRunning(_ app: NannyApp) {
    guard !taken.isEmpty else { return }
    let replaced = Set(taken.map(\.id))
    let running = app.log.actions.prefix(while: \.isRunning).filter { !replaced.contains($0.id) } + taken
    for ended in RunningActionRule.repairs(of: running).map(\.ended) {
      if let index = taken.firstIndex(where: { $0.id == ended.id }) {
        taken[index] = ended
      } else {
        taken.append(ended)
      }
      report.ended.append(ended.id)
    }
  }
}
