import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitStorage
import ZoneKitSync
import ZoneKitTableClient
import ZoneKitTables

/// Carries out what the machine `Migration` decides, on a device over a table server: the backup before the sign-in, the
/// upload after it, and the comparison at the end.
package final class MigrationDriver {
  /// Called with each line for the user.
  package var onTell: ((String) -> Void)?
  /// Called with the exit code when a run is over.
  package var onEnd: ((Int32) -> Void)?
  /// The machine. Read its state only.
  package private(set) var machine: Migration
  private unowned let device: DeviceClient
  private let link: TableServerLink
  private let app: TableApp
  private let plan: MigrationPlan
  private var effects: [Migration.Effect] = []
  private var isCarryingOut = false

  /// The driver of a device; nil if its app has no migration.
  package init?(_ device: DeviceClient) {
    guard let plan = device.app.migration, let link = device.tables else { return nil }
    self.device = device
    self.link = link
    self.plan = plan
    app = link.machine.app
    let value = try? device.coordinator.store.appValues()[MigrationRecord.key]
    machine = Migration(MigrationRecord(value), steps: plan.steps)
  }

  // MARK: Events

  /// Makes a backup of the device before a sign-in that would move its rows into an account, in place of an earlier one.
  /// Returns its path; nil if there is nothing to move.
  package func backUp() throws(StoreError) -> String? {
    let store = device.coordinator.store
    let user = try store.appValues()[MigrationRecord.userKey]?.text.flatMap { UUID($0) }
    let isNeeded = MigrationRecord.isNeeded(
      account: device.coordinator.account, user: user, rows: try store.census().pending)
    return isNeeded ? try device.backUp(as: "migration") : nil
  }

  /// An account signed in. Its rows were rewritten in the same transaction if they were local.
  package func signedIn(backup: String?) throws(StoreError) {
    let value = try device.coordinator.store.appValues()[MigrationRecord.key]
    guard var record = MigrationRecord(value) else { return }
    if let backup {
      record.backup = backup
      try store(record)
    }
    machine = Migration(record, steps: plan.steps)
    resume()
  }

  /// Goes on with a migration that was interrupted, for example by the end of the process.
  package func resume() {
    guard machine.isInterrupted, device.coordinator.account != nil, link.machine.isSignedIn else { return }
    begin()
  }

  /// Begins a run at the user's request.
  package func begin() { perform { $0.begin($1) } }

  /// The migration was taken back.
  package func takenBack() { perform { $0.takenBack() } }

  /// An event of the device is over.
  package func settled() {
    guard machine.isRunning else { return }
    perform { $0.progressed($1) }
  }

  /// A fact about photos was reported.
  package func heard(_ fact: PhotoFact) {
    switch fact {
    case .failed(_, let reason, _): perform { $0.failed(reason) }
    case .uploaded, .setAside: settled()
    case .downloaded, .missing: return
    }
  }

  /// The coordinator reported a fact.
  package func heard(_ fact: DeviceFact) {
    switch fact {
    case .syncFailed(_, let error, _): perform { $0.failed(error.reason) }
    case .signedOut: perform { $0.sessionLost() }
    default: return
    }
  }

  /// Compares the device with the server, at the user's request.
  package func verify(completion: @escaping (Result<MigrationCheck, TableServerLink.AskFailure>) -> Void) {
    count(plan.tables[...], [:], completion)
  }

  // MARK: The machine

  private func perform(_ event: (inout Migration, MigrationSight) -> [Migration.Effect]) {
    do throws(StoreError) {
      let person = plan.person(machine.record?.account ?? UUID(high: 0, low: 0))
      var sight = try MigrationSight(
        of: device.coordinator.store, person: person, photos: link.photos?.waiting ?? [:])
      sight.isSignedIn = link.machine.isSignedIn
      sight.isSyncing = device.coordinator.isSyncing
      perform { event(&$0, sight) }
    } catch {
      perform { $0.failed("\(error)") }
    }
  }

  private func perform(_ event: (inout Migration) -> [Migration.Effect]) {
    let wasRunning = machine.isRunning
    effects += event(&machine)
    if machine.isRunning != wasRunning { runChanged() }
    if machine.holdsPhotos != link.machine.photos.isHeld { link.photos?.hold(machine.holdsPhotos) }
    guard !isCarryingOut else { return }
    isCarryingOut = true
    while !effects.isEmpty { carryOut(effects.removeFirst()) }
    isCarryingOut = false
  }

  /// A run began or ended. Meanwhile the coordinator starts no sync of its own.
  private func runChanged() {
    link.migrationChanged(isMigrating: machine.isRunning)
    device.perform { $0.holdOwnReasons(machine.isRunning, at: $1, using: &$2) }
  }

  private func carryOut(_ effect: Migration.Effect) {
    switch effect {
    case .store(let record):
      do throws(StoreError) { try store(record) } catch { onTell?("the store failed: \(error)") }
    case .tell(let line): onTell?(line)
    case .sync: device.perform { $0.requestSyncIfNeeded(reason: .manual, at: $1, using: &$2) }
    case .check:
      verify { [weak self] result in
        self?.perform { machine in
          switch result {
          case .success(let check): machine.checked(check)
          case .failure(let failure): machine.failed(failure.description)
          }
        }
      }
    case .finished(let code): onEnd?(code)
    }
  }

  private func store(_ record: MigrationRecord) throws(StoreError) {
    let value = AppValueChange(MigrationRecord.key, .text(record.json.text()))
    try device.attempt { (coordinator, now, generator) throws(StoreError) in
      try coordinator.edit([], setting: [value], at: now, using: &generator)
    }
  }

  // MARK: The comparison

  /// Counts the rows of tables one after another, and then asks the questions.
  private func count(
    _ tables: ArraySlice<Name>, _ counts: [Name: Int],
    _ completion: @escaping (Result<MigrationCheck, TableServerLink.AskFailure>) -> Void
  ) {
    guard let name = tables.first, let table = app.schema.table(name) else { return question(counts, completion) }
    link.count(table) { [weak self] result in
      switch result {
      case .success(let count): self?.count(tables.dropFirst(), counts.merging([name: count]) { $1 }, completion)
      case .failure(let failure): completion(.failure(failure))
      }
    }
  }

  private func question(
    _ counts: [Name: Int], _ completion: @escaping (Result<MigrationCheck, TableServerLink.AskFailure>) -> Void
  ) {
    do throws(StoreError) {
      ask(try plan.questions(device.view)[...], [], counts, completion)
    } catch {
      completion(.failure(TableServerLink.AskFailure(description: "\(error)")))
    }
  }

  private func ask(
    _ questions: ArraySlice<MigrationPlan.Question>, _ answers: [JSON?], _ counts: [Name: Int],
    _ completion: @escaping (Result<MigrationCheck, TableServerLink.AskFailure>) -> Void
  ) {
    guard let question = questions.first else {
      do throws(StoreError) {
        return completion(.success(try plan.compare(device.view, counts, answers)))
      } catch {
        return completion(.failure(TableServerLink.AskFailure(description: "\(error)")))
      }
    }
    link.call(question.function, question.argument) { [weak self] result in
      switch result {
      case .success(let answer): self?.ask(questions.dropFirst(), answers + [answer], counts, completion)
      case .failure(let failure): completion(.failure(failure))
      }
    }
  }
}
