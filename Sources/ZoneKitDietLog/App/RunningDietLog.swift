import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSync

/// The diet log running on a device. Collections are read when a command first needs them.
struct RunningDietLog: RunningApp {
  /// The app's value with the ID of the log that was edited last on this device.
  private static let lastLog = "last"

  private var diary = Diary()

  mutating func refresh(_ changed: [RecordID], from view: AppView) throws(StoreError) {
    try diary.refresh(changed, from: view)
  }

  mutating func perform(
    _ line: String, in view: AppView, using generator: inout some RandomNumberGenerator
  ) throws(AppRefusal) -> AppAnswer {
    let command = try DietCommand(parsing: line)
    let last: String?
    do throws(StoreError) {
      try diary.read(command.collections, from: view)
      last = try view.values[Self.lastLog]?.text
    } catch {
      throw AppRefusal("\(error)")
    }
    var run = CommandRun(diary, in: view, last: last)
    let answer = try run.perform(command, using: &generator)
    let isMoved = !answer.edits.isEmpty && run.last != last
    return AppAnswer(
      edits: answer.edits, appValues: isMoved ? [AppValueChange(Self.lastLog, run.last.map { .text($0) })] : [],
      lines: { DietText(in: view.timeZone).lines(of: answer) }, members: { _ in DietMembers.members(of: answer) })
  }

  mutating func find(_ word: String, in view: AppView) throws(AppRefusal) -> RecordID {
    var words = try CommandWords(word)
    let meant = try words.next("the id of a document")
    try words.end()
    let last: String?
    do throws(StoreError) {
      try diary.read(DietLog.written.map(\.name), from: view)
      last = try view.values[Self.lastLog]?.text
    } catch {
      throw AppRefusal("\(error)")
    }
    return try CommandRun(diary, in: view, last: last).document(meant).id
  }

  mutating func repairs(in view: AppView) -> [RecordEdit] { [] }

  func staleness(in view: AppView) throws(StoreError) -> String? { try diary.staleness(in: view) }
}
