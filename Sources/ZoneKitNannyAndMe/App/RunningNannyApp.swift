import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSync

/// NannyAndMe running on a device. The log is read when a command or rule first needs it: adding an action needs only
/// the profiles.
struct RunningNannyApp: RunningApp {
  private var app: NannyApp
  private var hasLog = false

  /// The app with the profiles in the view's store.
  init(_ view: AppView) throws(StoreError) {
    app = try NannyApp(user: view.account ?? "", profilesFrom: view.store)
  }

  mutating func refresh(_ changed: [RecordID], from view: AppView) throws(StoreError) {
    try app.refresh(changed, withLog: hasLog, from: view.store)
  }

  mutating func perform(
    _ line: String, in view: AppView, using generator: inout some RandomNumberGenerator
  ) throws(AppRefusal) -> AppAnswer {
    guard view.account != nil else { throw AppRefusal("no account is signed in") }
    let command = try NannyCommand(parsing: line)
    if command.readsLog {
      do throws(StoreError) { try readLog(view) } catch { throw AppRefusal("\(error)") }
    }
    let answer = try app.perform(command, now: view.wall, in: view.timeZone, using: &generator)
    return AppAnswer(
      edits: answer.edits, lines: { answer.lines(now: view.wall, in: view.timeZone) },
      members: { _ in answer.json.object ?? [] })
  }

  mutating func find(_ word: String, in view: AppView) throws(AppRefusal) -> RecordID {
    do throws(StoreError) { try readLog(view) } catch { throw AppRefusal("\(error)") }
    return try app.find(word).id
  }

  mutating func repairs(in view: AppView) throws(StoreError) -> [RecordEdit] {
    guard view.account != nil else { return [] }
    try readLog(view)
    return app.repairs.map(\.edit)
  }

  func staleness(in view: AppView) throws(StoreError) -> String? {
    var fresh = try RunningNannyApp(view)
    if hasLog { try fresh.readLog(view) }
    return fresh.app.difference(from: app)
  }

  private mutating func readLog(_ view: AppView) throws(StoreError) {
    guard !hasLog else { return }
    try app.readLog(from: view.store, leavingOut: view.hidden)
    hasLog = true
  }
}
