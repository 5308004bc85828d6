import ZoneKitDeviceHost
import ZoneKitDocuments
import ZoneKitRecords
import ZoneKitSync

/// One command on its way: it finds documents in the diary and collects the edits of one transaction.
struct CommandRun {
  /// The documents that the command reads.
  let diary: Diary
  /// The device's state.
  let view: AppView
  /// The ID of the log that was edited last on this device; nil if none was.
  private(set) var last: String?
  /// The edits so far.
  private var edits: [RecordEdit] = []

  /// A command over those documents.
  init(_ diary: Diary, in view: AppView, last: String?) {
    self.diary = diary
    self.view = view
    self.last = last
  }

  /// The time zone of the device.
  var zone: TimeZoneRules { view.timeZone }

  /// The time of the device's wall clock.
  var now: WallTime { view.wall }

  /// Performs the command. Throws if it is not possible.
  mutating func perform(
    _ command: DietCommand, using generator: inout some RandomNumberGenerator
  ) throws(AppRefusal) -> DietAnswer {
    switch command {
    case .log(let meal, let options): return try log(meal, options, using: &generator)
    case .weigh(let weight, let options): return try weigh(weight, options, using: &generator)
    case .goal(let field, let value): return try goal(field, value)
    case .add(let log, let food): return try add(food, to: log, using: &generator)
    case .again(let food, let log): return try again(food, to: log, using: &generator)
    case .change(let log, let item, let field, let value): return try change(log, item, field, value)
    case .drop(let log, let item): return try drop(log, item)
    case .restore(let word, let item?): return try restore(item, of: word)
    case .restore(let word, nil): return try restore(word)
    case .family(let name): return try family(name, using: &generator)
    case .member(let family, let name, let role): return try member(family, name, role, using: &generator)
    case .edit(let word, let field, let value): return try edit(word, field, value)
    case .delete(let word): return try delete(word)
    case .list(let collection, let limit): return list(collection, limit)
    case .day(let day): return try self.day(day)
    case .recent(let limit): return list("recentFoods", limit)
    case .show(let word): return .document(try document(word))
    case .conflicts(let limit): return try conflicts(limit)
    }
  }

  // MARK: Edits

  /// A new document of a collection with a random ID and those members. Optional members may be nil.
  mutating func make(
    _ collection: Name, _ members: [(Name, FieldValue?)], using generator: inout some RandomNumberGenerator
  ) throws(AppRefusal) -> DietDocument {
    try make(DocumentName(collection, RandomIdentifier.uuid(using: &generator)), members)
  }

  /// A new document of that name with those members.
  mutating func make(_ name: DocumentName, _ members: [(Name, FieldValue?)]) throws(AppRefusal) -> DietDocument {
    var document = DietDocument(name, Fields())
    for (member, value) in members {
      guard let value else { continue }
      guard let described = document.collection.member(member), described.items != nil || described.accepts(value)
      else {
        let expected = document.collection.member(member)?.expectation ?? "no value"
        throw AppRefusal("\(FieldWord.word(for: member)) has to be \(expected)")
      }
      document[member] = value
    }
    try save(document)
    return document
  }

  /// Saves a document with the stamp of the command.
  mutating func save(_ document: DietDocument) throws(AppRefusal) {
    let size = EncodedFields(document.fields).utf8.count
    guard size < DocumentSchema.documentBytes - Self.stampBytes else {
      throw AppRefusal(
        "\(document.words) would have \(size) bytes, at most \(DocumentSchema.documentBytes) are allowed; shorten it")
    }
    edits.append(document.edit(.now))
    if document.name.collection == "foodLogs" { last = document.name.id }
  }

  /// Room for the stamp that the coordinator adds to a document.
  private static let stampBytes = 64

  /// Erases a document that never left the device, and marks any other as deleted.
  mutating func remove(_ document: DietDocument) throws(AppRefusal) {
    let record: LocalRecord?
    do throws(StoreError) { record = try view.store.record(document.id) } catch { throw AppRefusal("\(error)") }
    edits.append(.removal(of: document.id, type: document.name.collection, fields: document.fields, record))
  }

  /// The answer that something was changed.
  func said(_ text: String) -> DietAnswer { .changed(edits, said: text) }

  // MARK: Words

  /// The document that a word stands for, also a deleted one.
  func document(_ word: String) throws(AppRefusal) -> DietDocument {
    if word == "last" { return try log("last") }
    return try diary.find(word, in: DietLog.written.map(\.name))
  }

  /// The log that a word stands for, also a deleted one.
  func log(_ word: String) throws(AppRefusal) -> DietDocument {
    guard word == "last" else { return try diary.find(word, in: ["foodLogs"]) }
    guard let last else { throw AppRefusal("no log was edited on this device yet; `log lunch` makes one") }
    guard let log = diary.document(DocumentName("foodLogs", last)) else {
      throw AppRefusal("the log that was edited last is not there any more; give the id of another one")
    }
    return log
  }

  /// Throws if a document is deleted.
  func demandAlive(_ document: DietDocument) throws(AppRefusal) {
    guard document.isDeleted else { return }
    throw AppRefusal("\(document.words) is deleted; `restore \(document.shortID)` brings it back")
  }

  /// The day of a word, or the present day in the device's time zone. Entries keep the day on which they were logged,
  /// wherever they are shown or edited later.
  func day(of word: String?) throws(AppRefusal) -> String {
    guard let word else { return zone.day(of: now) }
    guard WallTime(day: word) != nil else {
      throw AppRefusal("\"\(word)\" is no day; expected one from 1970 to 2199, such as 2026-11-21")
    }
    return word
  }
}

extension FieldWord {
  /// The word for the member of that name.
  static func word(for name: Name) -> String { word(for: DocumentMember(name, .day)) }
}
