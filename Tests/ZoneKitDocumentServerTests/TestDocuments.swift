import ZoneKitCloud
import ZoneKitDietLog
import ZoneKitDocumentServer
import ZoneKitDocuments
import ZoneKitRecords
import ZoneKitMemoryStores

/// A server of documents under test, of the diet log unless said otherwise: one request a turn.
struct TestDocuments {
  var server = ZoneServer(store: MemoryZoneStore())
  var generator: SplitMix64
  var now = WallTime(milliseconds: 1_700_000_000_000)
  private(set) var documents: DocumentServer
  var caller = Caller(user: "nanny")
  private var lastTicket = 0

  init(seed: UInt64 = 1, app: DocumentApp = DietLog.documents) {
    generator = SplitMix64(seed: seed)
    documents = DocumentServer(app: app)
  }

  var app: DocumentApp { documents.app }
  var database: DatabaseID { app.database(of: caller.user) }
  var zone: ZoneKey { ZoneKey(database: database, zoneName: app.zone) }

  /// Takes a request in, without ending the turn. Nil if it is submitted.
  mutating func receive(_ request: DocumentRequest, visibleDelay: Int64 = 0) -> DocumentResponse? {
    lastTicket += 1
    switch documents.receive(request, from: caller, at: now, visibleDelay: visibleDelay) {
    case .answer(let response): return response
    case .submit(let transaction, let database, let sender):
      server.transact(
        transaction, ticket: Ticket(lastTicket), in: database, from: sender, at: now, using: &generator)
      return nil
    }
  }

  /// Ends the turn: the answers in their order. The documents that were read are kept, as a service does.
  mutating func endTurn() -> [DocumentResponse] {
    var answers: [DocumentResponse] = []
    for case .transacted(_, let result) in server.endTurn(using: &generator) {
      documents.keep(result)
      answers.append(documents.answer(to: result))
    }
    return answers
  }

  /// Forgets the documents that were read.
  mutating func forgetKept() { documents = DocumentServer(app: documents.app) }

  mutating func ask(_ request: DocumentRequest, visibleDelay: Int64 = 0) -> DocumentResponse {
    receive(request, visibleDelay: visibleDelay) ?? endTurn()[0]
  }

  mutating func administer(_ operation: Administration) {
    lastTicket += 1
    server.administer(
      operation, ticket: Ticket(lastTicket), in: database, from: caller, at: now, using: &generator)
    _ = server.endTurn(using: &generator)
  }

  /// Purges the caller's documents.
  mutating func purge(_ purge: DocumentPurge) -> DocumentPurgeReport {
    let (transaction, database, caller) = documents.purging(purge, of: caller.user, at: now)
    server.transact(transaction, ticket: Ticket(0), in: database, from: caller, at: now, using: &generator)
    for operation in documents.forgettings(after: purge) {
      server.administer(operation, ticket: Ticket(0), in: database, from: caller, at: now, using: &generator)
    }
    for case .transacted(_, let result) in server.endTurn(using: &generator) {
      if case .success(let report) = documents.purgeReport(of: result) { return report }
    }
    return DocumentPurgeReport()
  }

  // MARK: Pushes

  mutating func push(
    _ changes: [DocumentChange], _ decider: DocumentPush.Decider = .client, from device: String = "A"
  ) -> [ChangeResult.Outcome] {
    now = now.advanced(byMilliseconds: 10)
    guard case .pushed(let answer) = ask(.push(DocumentPush(from: device, decider: decider, changes: changes))) else {
      return []
    }
    return answer.results.map(\.outcome)
  }

  mutating func push(
    _ change: DocumentChange, _ decider: DocumentPush.Decider = .client, from device: String = "A"
  ) -> ChangeResult.Outcome? {
    push([change], decider, from: device).first
  }

  /// The tag of a document; nil if it does not exist.
  mutating func tag(_ name: DocumentName) -> DocumentTag? { document(name)?.tag }

  mutating func document(_ name: DocumentName) -> Document? {
    guard case .found(let found) = ask(.lookup(DocumentLookup([name]))) else { return nil }
    return found.documents.first
  }

  mutating func fields(_ name: DocumentName) -> Fields? { document(name)?.fields }

  // MARK: Readings

  /// The entries from a cursor on in words, in pages.
  mutating func words(from cursor: DocumentCursor, limit: Int = 200) throws -> [String] {
    try pull(from: cursor, limit: limit).entries.map(\.words)
  }

  /// All entries from a cursor on, in pages, and the cursor at the end. Throws the refusal of a page.
  mutating func pull(
    from cursor: DocumentCursor, limit: Int = 200
  ) throws -> (entries: [PullAnswer.Entry], cursor: DocumentCursor) {
    var (entries, cursor): ([PullAnswer.Entry], DocumentCursor) = ([], cursor)
    while true {
      let response = ask(.pull(DocumentPull(cursor, limit: limit)))
      guard case .pulled(let page) = response else { throw Unexpected(response: response) }
      entries += page.entries
      cursor = page.cursor
      if !page.hasMore { return (entries, cursor) }
    }
  }
}

/// A response of another kind than the test wants.
struct Unexpected: Error {
  let response: DocumentResponse
}

/// Changes of documents for tests.
enum Sample {
  static func time(_ second: Int64) -> WallTime { WallTime(milliseconds: 1_700_000_000_000 + second * 1_000) }

  static func data(_ text: String) -> DocumentData {
    guard let json = try? JSON(parsing: text) else { fatalError("\(text) is no JSON") }
    return DocumentData(json)
  }

  static func item(_ id: String, _ name: String, kcal: Int = 100, at second: Int64, isRemoved: Bool = false) -> String {
    let stamp = time(second).iso8601
    return #"{"_id":"\#(id)","name":"\#(name)","quantityMilli":1000,"unit":"g","energyKcal":\#(kcal),"#
      + #""createdAt":"\#(time(0).iso8601)","updatedAt":"\#(stamp)""#
      + (isRemoved ? #","deletedAt":"\#(stamp)"}"# : "}")
  }

  static let log = DocumentName("foodLogs", "log")
  static let weight = DocumentName("weightLogs", "weight")

  /// A change of a food log.
  static func log(
    _ id: String = "log", _ items: [String] = [], notes: String? = nil, day: String = "2026-11-21",
    base: DocumentChange.Base = .none, at second: Int64, _ operation: DocumentChange.Operation = .create
  ) -> DocumentChange {
    let text =
      #"{"loggedDate":"\#(day)","loggedAt":"2026-11-21T12:00:00.000Z","mealType":"lunch","#
      + (notes.map { #""notes":"\#($0)","# } ?? "") + #""items":[\#(items.joined(separator: ","))]}"#
    return DocumentChange(operation, DocumentName("foodLogs", id), base: base, at: time(second), data: data(text))
  }

  /// A change of a weight.
  static func weight(
    _ grams: Int, id: String = "weight", base: DocumentChange.Base = .none, at second: Int64,
    _ operation: DocumentChange.Operation = .create
  ) -> DocumentChange {
    DocumentChange(
      operation, DocumentName("weightLogs", id), base: base, at: time(second),
      data: data(
        #"{"loggedDate":"2026-11-21","loggedAt":"2026-11-21T06:00:00.000Z","weightG":\#(grams)}"#))
  }

  static func delete(
    _ name: DocumentName, base: DocumentChange.Base = .none, at second: Int64, erases: Bool = false
  ) -> DocumentChange {
    DocumentChange(.delete, name, base: base, at: time(second), erases: erases)
  }
}

extension ChangeResult.Outcome {
  /// The outcome in a word, for comparisons.
  var word: String {
    switch self {
    case .applied(isChanged: true, let version): "applied \(version.number)"
    case .applied(isChanged: false, let version): "unchanged \(version.number)"
    case .conflict(let resolution, let document, isChanged: let isChanged):
      "\(resolution.rawValue) \(document?.version ?? 0)\(isChanged ? " changed" : "")"
    case .failed(let error): "\(error.code.rawValue) \(error.path ?? "")"
    }
  }
}

extension PullAnswer.Entry {
  /// The entry in words, for comparisons.
  var words: String {
    switch self {
    case .document(let document):
      "\(document.name.collection) \(document.name.id) \(document.version)\(document.fields.isDeleted ? " deleted" : "")"
    case .tombstone(let name, let version): "\(name.collection) \(name.id) \(version.number) gone"
    }
  }
}
