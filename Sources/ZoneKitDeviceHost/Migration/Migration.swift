import ZoneKitRecords

/// The upload of a device's rows after the sign-in of their account. It is a machine: events go in, effects come out.
///
/// The rows were rewritten with the sign-in (`Adoption`), and the coordinator sends them as any other change. The
/// machine holds other syncs off, tells how far the upload is, and compares the result with the server's. Which step it
/// is at follows from the rows that wait, so it goes on after a restart.
package struct Migration: Hashable, Sendable {
  /// What a driver has to do.
  package enum Effect: Hashable, Sendable {
    /// Store the value of the migration.
    case store(MigrationRecord)
    /// Show a line.
    case tell(String)
    /// Ask the coordinator for a sync.
    case sync
    /// Ask the server for its numbers of rows and its balances, and report them to `checked`.
    case check
    /// The migration is over. The code is that of the command.
    case finished(exitCode: Int32)
  }

  /// A run through the steps.
  private struct Run: Hashable {
    /// The number of the present step, from 0; that of all steps if all are over.
    var step = 0
    /// The rows of each step that waited when they were last seen.
    var waiting: [Int]
    /// The rows of each step that were set aside then.
    var setAside: [Int]
    /// The rows of each step that the server acknowledged in this run.
    var counts: [Int]
    /// The rows and photos that were set aside.
    var notes: [RowNote]
    /// The photos that waited when they were last seen.
    var photos: Int
    /// The photos that were set aside then.
    var photosSetAside: Int
    /// The photos that were uploaded in this run.
    var photoCount = 0
  }

  private enum State: Hashable {
    /// There is nothing to migrate, or all is done.
    case off
    /// Rows wait, and no run is under way.
    case waiting
    case uploading(Run)
    /// All rows were sent. Photos go next, and then the rows that name them, for which a sync was asked or not. The end of
    /// the sync is waited for.
    case sendingPhotos(Run, isAsked: Bool)
    case checking(Run)
    case failed(Run, String)
    case done(Run, MigrationCheck)
  }

  /// The title of the lines.
  package static let title = "Migrating Your Data"
  /// The sentence below the title.
  package static let sentence =
    "Your local data is being securely uploaded to the cloud. This only happens once."
  /// The text while photos are sent.
  private static let photoText = "Uploading photos..."
  /// What an error names in place of a table while photos are sent.
  private static let photos: Name = "photos"

  /// What the store remembers; nil if there is no migration.
  package private(set) var record: MigrationRecord?
  private let steps: [MigrationStep]
  private var state: State

  /// The machine over the app's value of a store, with the steps of the app.
  package init(_ record: MigrationRecord?, steps: [MigrationStep]) {
    self.record = record
    self.steps = steps
    state = record?.phase == .running ? .waiting : .off
  }

  // MARK: Events

  /// Begins a run: after the adoption, at a launch, and at the user's request. A run that is under way goes on as it is.
  package mutating func begin(_ sight: MigrationSight) -> [Effect] {
    guard sight.isSignedIn else { return [.tell(MigrationProblem.notAuthenticated.text), .finished(exitCode: 1)] }
    guard record != nil else { return [.tell(MigrationProblem.nothing.text), .finished(exitCode: 0)] }
    switch state {
    case .off, .done: return [.tell("Migration complete!"), .finished(exitCode: 0)]
    case .uploading, .sendingPhotos, .checking: return []
    case .waiting, .failed:
      let run = Run(
        waiting: steps.map(sight.waiting(for:)),
        setAside: steps.map(sight.setAside(for:)),
        counts: steps.map { _ in 0 }, notes: sight.allSetAside, photos: sight.photos,
        photosSetAside: sight.photosSetAside.count)
      let told: [Effect] = [.tell(Self.title), .tell(Self.sentence), .tell(line(of: 0))]
      return told + advance(run, isAsking: true, sight)
    }
  }

  /// Rows or photos were sent, refused or edited.
  package mutating func progressed(_ sight: MigrationSight) -> [Effect] {
    switch state {
    case .uploading(let run): return advance(counted(run, sight), isAsking: false, sight)
    case .sendingPhotos(let run, let isAsked): return passPhotos(counted(run, sight), isAsked: isAsked, sight)
    case .off, .waiting, .checking, .failed, .done: return []
    }
  }

  /// The run with the rows and photos that were acknowledged since the last sight.
  private func counted(_ old: Run, _ sight: MigrationSight) -> Run {
    var run = old
    for (index, step) in steps.enumerated() {
      let waiting = sight.waiting(for: step)
      let setAside = sight.setAside(for: step)
      let gone = run.waiting[index] - waiting
      run.counts[index] += max(0, gone - max(0, setAside - run.setAside[index]))
      run.waiting[index] = waiting
      run.setAside[index] = setAside
    }
    let newlyRefused = max(0, sight.photosSetAside.count - run.photosSetAside)
    run.photoCount += max(0, run.photos - sight.photos - newlyRefused)
    run.photos = sight.photos
    run.photosSetAside = sight.photosSetAside.count
    run.notes = sight.allSetAside
    return run
  }

  /// The sync of the present step, or the check, failed.
  package mutating func failed(_ detail: String) -> [Effect] {
    switch state {
    case .off, .waiting, .failed, .done: return []
    case .uploading(let run): return fail(run, .upload(steps[run.step].table, detail))
    case .sendingPhotos(let run, _): return fail(run, .upload(Self.photos, detail))
    case .checking(let run): return fail(run, .check(detail))
    }
  }

  /// The session was lost.
  package mutating func sessionLost() -> [Effect] {
    switch state {
    case .off, .waiting, .failed, .done: return []
    case .uploading(let run), .sendingPhotos(let run, _), .checking(let run): return fail(run, .notAuthenticated)
    }
  }

  /// A rollback wrote what was written since the backup to a file at that path. Returns what the store has to remember; nil
  /// if there is no migration.
  package mutating func editsWritten(to path: String) -> MigrationRecord? {
    record?.edits.append(path)
    return record
  }

  /// The migration was taken back.
  package mutating func takenBack() -> [Effect] {
    record = nil
    state = .off
    return []
  }

  /// The comparison with the server ended.
  package mutating func checked(_ check: MigrationCheck) -> [Effect] {
    guard case .checking(let run) = state, var record else { return [] }
    record.phase = .done
    self.record = record
    state = .done(run, check)
    let details = run.notes.map { "set aside \($0)" } + record.notes.map { "\($0)" }
    let lines = [summary ?? ""] + countLines + details + check.countMismatches + check.balanceMismatches
    return [.store(record)] + lines.map { .tell($0) } + [.finished(exitCode: check.isClean ? 0 : 1)]
  }

  // MARK: Steps

  /// Passes the steps without waiting rows. If one is left, the coordinator sends its rows; a run that goes on need not
  /// ask for that.
  private mutating func advance(_ old: Run, isAsking: Bool, _ sight: MigrationSight) -> [Effect] {
    var run = old
    var effects: [Effect] = []
    while run.step < totalSteps, run.waiting[run.step] == 0 {
      run.step += 1
      if run.step < totalSteps { effects.append(.tell(line(of: run.step))) }
    }
    guard run.step < totalSteps else {
      let told = run.photos > 0 ? [Effect.tell("\(Self.photoText)  \(run.photos.counted("photo"))")] : []
      return effects + told + passPhotos(run, isAsked: false, sight)
    }
    state = .uploading(run)
    return effects + (isAsking ? [.sync] : [])
  }

  /// Waits for the photos, then for the rows that name them, and for the end of the sync, so that the device has all rows
  /// of the account when they are compared.
  private mutating func passPhotos(_ run: Run, isAsked: Bool, _ sight: MigrationSight) -> [Effect] {
    guard run.photos == 0, sight.hasSentAll, !sight.isSyncing else {
      let isAsking = run.photos == 0 && !sight.hasSentAll && !isAsked
      state = .sendingPhotos(run, isAsked: isAsked || isAsking)
      return isAsking ? [.sync] : []
    }
    state = .checking(run)
    return [.check]
  }

  private mutating func fail(_ run: Run, _ problem: MigrationProblem) -> [Effect] {
    state = .failed(run, problem.text)
    return [.tell(problem.text), .finished(exitCode: 1)]
  }

  /// `[ 9/16] Uploading splits...  50%`.
  private func line(of step: Int) -> String {
    let number = step + 1
    return
      "[\(number < 10 ? " " : "")\(number)/\(totalSteps)] \(steps[step].text)  \(step * 100 / totalSteps)%"
  }
}

/// What users and pages see.
extension Migration {
  private var run: Run? {
    switch state {
    case .off, .waiting: nil
    case .uploading(let run), .sendingPhotos(let run, _), .checking(let run), .failed(let run, _), .done(let run, _):
      run
    }
  }

  /// The number of steps.
  package var totalSteps: Int { steps.count }

  /// Whether a run is under way. Other syncs wait for its end.
  package var isRunning: Bool {
    switch state {
    case .uploading, .sendingPhotos, .checking: true
    case .off, .waiting, .failed, .done: false
    }
  }

  /// Whether photos wait until all rows are sent.
  package var holdsPhotos: Bool { if case .uploading = state { true } else { false } }

  /// Whether rows have not been uploaded and no run is under way.
  package var isInterrupted: Bool {
    switch state {
    case .waiting, .failed: true
    case .off, .uploading, .sendingPhotos, .checking, .done: false
    }
  }

  /// The text of the present step; empty before the first one.
  package var currentStep: String {
    switch state {
    case .off, .waiting: ""
    case .uploading(let run), .failed(let run, _): steps[min(run.step, totalSteps - 1)].text
    case .sendingPhotos(let run, _) where run.photos > 0: Self.photoText
    case .sendingPhotos, .checking: "Checking rows and balances..."
    case .done: "Migration complete!"
    }
  }

  /// The state in one word: `none`, `interrupted`, `running`, `done`, or `incomplete` for one that is over while rows were
  /// set aside or differ from the server's.
  package var stateName: String {
    switch state {
    case .off: record?.phase == .done ? "done" : "none"
    case .waiting, .failed: "interrupted"
    case .uploading, .sendingPhotos, .checking: "running"
    case .done(let run, let check): check.isClean && run.notes.isEmpty ? "done" : "incomplete"
    }
  }

  /// How much is over, from 0 to 1.
  package var progress: Double {
    switch state {
    case .off, .waiting: 0
    case .uploading(let run), .sendingPhotos(let run, _), .checking(let run), .failed(let run, _):
      Double(min(run.step, totalSteps - 1)) / Double(totalSteps)
    case .done: 1
    }
  }

  /// The numbers of rows that the server acknowledged in this run, of steps that are over, in ascending order of keys.
  package var entityCounts: [(key: String, count: Int)] {
    guard let run else { return [] }
    let photos = run.photoCount > 0 ? [("Photos", run.photoCount)] : []
    return (zip(steps, run.counts).prefix(run.step).map { ($0.countKey, $1) } + photos).sorted { $0.0 < $1.0 }
  }

  /// Why the last run ended early; nil if it did not.
  package var errorMessage: String? {
    guard case .failed(_, let text) = state else { return nil }
    return text
  }

  /// The answer to a wish to sync while a run is under way; nil otherwise.
  package var holdText: String? {
    guard isRunning, let run else { return nil }
    return "migrating: step \(min(run.step + 1, totalSteps)) of \(totalSteps); a sync follows"
  }

  /// How the migration ended; nil before that.
  package var summary: String? {
    guard case .done(let run, let check) = state else { return nil }
    let differing = check.balanceMismatches.count
    let parts = [
      setAsideText(run),
      check.countMismatches.isEmpty ? nil : "\(check.countMismatches.count.counted("count")) off",
      differing == 0 ? nil : "\(differing.counted("balance")) differ\(differing == 1 ? "s" : "")",
    ].compactMap(\.self)
    return parts.isEmpty ? "Migration complete!" : "done, \(parts.joined(separator: ", "))"
  }

  private func setAsideText(_ run: Run) -> String? {
    let rows = run.notes.count - run.photosSetAside
    let parts = [(rows, "row"), (run.photosSetAside, "photo")].filter { $0.0 > 0 }.map { $0.0.counted($0.1) }
    return parts.isEmpty ? nil : "\(parts.joined(separator: " and ")) set aside"
  }

  private var countLines: [String] { entityCounts.map { "  \($0.key): \($0.count)" } }

  /// The state as JSON.
  package var json: JSON {
    [
      "state": .string(stateName), "isRunning": .bool(isRunning), "currentStep": .string(currentStep),
      "progress": .number(progress),
      "totalSteps": .integer(Int64(totalSteps)),
      "entityCounts": .object(entityCounts.map { JSON.Member($0.key, .integer(Int64($0.count))) }),
      "errorMessage": errorMessage.map(JSON.string) ?? .null, "result": summary.map(JSON.string) ?? .null,
    ]
  }
}
