import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSync
import ZoneKitTables

/// Swiss Coin running on a device. Tables are read when a command first needs them.
struct RunningSwissCoin: RunningApp {
  private var book = Book()

  mutating func refresh(_ changed: [RecordID], from view: AppView) throws(StoreError) {
    try book.refresh(changed, from: view)
  }

  mutating func perform(
    _ line: String, in view: AppView, using generator: inout some RandomNumberGenerator
  ) throws(AppRefusal) -> AppAnswer {
    let command = try CoinCommand(parsing: line)
    let me: Me
    do throws(StoreError) {
      try book.read(command.tables, from: view)
      me = try Me(in: view, using: &generator)
    } catch {
      throw AppRefusal("\(error)")
    }
    var run = CommandRun(book, me: me, now: view.wall, in: view.timeZone)
    let answer = try run.perform(command, using: &generator)
    let (edits, values) = me.joined(with: answer.edits)
    return AppAnswer(
      edits: edits, appValues: values, lines: { [book] in Self.lines(of: answer, book, me, view) },
      members: { CoinMembers.members(of: answer, in: $0) })
  }

  private static func lines(of answer: CoinAnswer, _ book: Book, _ me: Me, _ view: AppView) -> [String] {
    do throws(StoreError) {
      let shown = answer.edits.isEmpty ? answer.records : []
      let states = try RowStates(of: shown, in: view.store)
      return CoinText(book, me: me.id, states: states, in: view.timeZone).lines(of: answer)
    } catch {
      return ["the store cannot be read: \(error)"]
    }
  }

  mutating func find(_ word: String, in view: AppView) throws(AppRefusal) -> RecordID {
    try row(word, in: view).row.id
  }

  mutating func setPhoto(
    _ photo: QueuedPhoto?, of word: String, in view: AppView
  ) throws(AppRefusal) -> AppAnswer {
    let (row, words) = try row(word, in: view)
    return try CoinPhotos.answer(photo, for: row, called: words, in: view)
  }

  /// The row that a word stands for, and what users read of it.
  private mutating func row(_ word: String, in view: AppView) throws(AppRefusal) -> (row: CoinRow, words: String) {
    var words = try CommandWords(word)
    let meant = try words.nextWord("the id of a row")
    try words.end()
    let me: UUID?
    do throws(StoreError) {
      try book.read(CoinCommand.show(meant).tables, from: view)
      me = try Me.id(in: view)
    } catch {
      throw AppRefusal("\(error)")
    }
    let row = try book.find(meant, in: SwissCoin.schema.tables.map(\.name), me: me)
    return (row, RowNames(book, me: me).words(for: row))
  }

  mutating func repairs(in view: AppView) throws(StoreError) -> [RecordEdit] { try Me.repairs(in: view) }

  func staleness(in view: AppView) throws(StoreError) -> String? { try book.staleness(in: view) }
}
