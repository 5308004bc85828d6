import Testing
import ZoneKitDocuments
import ZoneKitRecords

@testable import ZoneKitCloud
@testable import ZoneKitDocumentServer

@Suite struct `an exchange of pushes` {
  /// How a client names what its change rests on after it merged.
  private enum Base: CaseIterable {
    case tag, number, successor, asBefore, none
  }

  /// What a client makes of two logs.
  private enum Merging: CaseIterable {
    case laterItems, ownItems, serverItems, ownLog
  }

  /// When the merged log was edited, by the client's account.
  private enum Stamping: CaseIterable {
    case asBefore, latest, later
  }

  private struct Item {
    var kcal: Int
    var second: Int64
  }

  /// A client with one change that waits.
  private struct Client {
    let device: String
    let base: Base
    let merging: Merging
    let stamping: Stamping
    /// Whether items are sent with the time of the whole edit.
    let restampsItems: Bool
    var notes: String
    var second: Int64
    var items: [String: Item]
    var known: DocumentChange.Base
    var number: Int64
    var isDone = false

    var change: DocumentChange {
      let texts = items.sorted { $0.key < $1.key }.map { id, item in
        Sample.item(id, "Oats", kcal: item.kcal, at: restampsItems ? second : min(item.second, second))
      }
      return Sample.log("log", texts, notes: notes, base: known, at: second, .update)
    }

    mutating func merge(_ document: Document) {
      let fields = document.fields
      var theirs: [String: Item] = [:]
      for item in fields.items(in: "items") ?? [] where !item.isRemoved {
        let seconds = (item.updatedAt - Sample.time(0).milliseconds) / 1_000
        theirs[item.id] = Item(kcal: Int(item.json["energyKcal"]?.integer ?? 0), second: seconds)
      }
      switch merging {
      case .laterItems: items.merge(theirs) { $0.second > $1.second ? $0 : $1 }
      case .ownItems: items.merge(theirs) { own, _ in own }
      case .serverItems: items.merge(theirs) { $1 }
      case .ownLog: break
      }
      let server = (fields.editedAt.milliseconds - Sample.time(0).milliseconds) / 1_000
      switch stamping {
      case .asBefore: break
      case .latest: second = max(second, server)
      case .later: second = max(second, server) + 1
      }
      number = max(number, document.version) + 1
      switch base {
      case .tag: known = .tag(document.tag)
      case .number: known = .version(document.version)
      case .successor: known = .version(number)
      case .asBefore: break
      case .none: known = .none
      }
    }
  }

  private func client(_ number: Int, of test: inout TestDocuments, using generator: inout SplitMix64) -> Client {
    let newest = test.document(Sample.log)?.version ?? 0
    let seen = Int64.random(in: 0...newest, using: &generator)
    var items: [String: Item] = ["own\(number)": Item(kcal: number, second: Int64.random(in: 1...9, using: &generator))]
    items["shared"] = Item(
      kcal: Int.random(in: 1...3, using: &generator), second: Int64.random(in: 1...9, using: &generator))
    let base = Base.allCases.randomElement(using: &generator)!
    var merging = Merging.allCases.randomElement(using: &generator)!
    // Who names the tag and leaves items out removes them.
    if base == .tag, merging == .ownLog { merging = .laterItems }
    return Client(
      device: "D\(number)", base: base, merging: merging,
      stamping: Stamping.allCases.randomElement(using: &generator)!, restampsItems: Bool.random(using: &generator),
      notes: "n\(Int.random(in: 1...3, using: &generator))", second: Int64.random(in: 1...9, using: &generator),
      items: items, known: seen == 0 ? .none : .version(seen), number: seen)
  }

  @Test(arguments: 1...200)
  func `ends, whatever clients make of conflicts, and loses no item without a trace`(seed: UInt64) throws {
    var test = TestDocuments(seed: seed)
    var generator = SplitMix64(seed: seed)
    _ = test.push(Sample.log("log", [Sample.item("first", "Oats", at: 1)], notes: "n0", at: 1), .server, from: "F")
    var clients: [Client] = []
    for number in 0..<Int.random(in: 1...3, using: &generator) {
      clients.append(client(number, of: &test, using: &generator))
    }
    var pushes = 0
    while let index = clients.indices.filter({ !clients[$0].isDone }).randomElement(using: &generator) {
      pushes += 1
      // Each version may be met with a question and with its repeats.
      guard pushes <= clients.count * (clients.count + 1) * 9 else {
        Issue.record("the exchange has no end: \(clients[index])")
        return
      }
      switch test.push(clients[index].change, .server, from: clients[index].device) {
      case .conflict(.merge, let document?, _): clients[index].merge(document)
      case .applied, .conflict(.server, _, _): clients[index].isDone = true
      case let outcome: Issue.record("\(String(describing: outcome)) ends no exchange")
      }
    }
    let stored = test.fields(Sample.log)?.items(in: "items") ?? []
    let journal = try test.pull(from: DocumentCursor(startOf: .conflicts, .changes)).entries.map { entry in
      if case .document(let document) = entry { String(decoding: document.content.utf8, as: UTF8.self) } else { "" }
    }
    for id in ["first", "shared"] + clients.indices.map({ "own\($0)" }) {
      let isThere = stored.contains { $0.id == id && !$0.isRemoved }
      #expect(isThere || journal.contains { $0.contains(id) }, "\(id) is neither stored nor in the journal")
    }
  }

  @Test func `asks a device to merge with a version once`() {
    var test = TestDocuments()
    _ = test.push(Sample.log("log", [Sample.item("a", "Oats", at: 1)], notes: "n", at: 5), .server)
    let (other, changed) = (
      Sample.log("log", [Sample.item("b", "Milk", at: 2)], at: 2),
      Sample.log("log", [Sample.item("b", "Milk", at: 2)], at: 3)
    )
    #expect(test.push(other, .server, from: "B")?.word == "merge 1")
    #expect(test.push(changed, .server, from: "C")?.word == "merge 1")
    #expect(test.push(changed, .server, from: "B")?.word == "server_wins 2 changed")
    #expect(test.fields(Sample.log)?.items(in: "items")?.map(\.id) == ["a", "b"])
    #expect(test.push(other, .server, from: "C")?.word == "server_wins 2")
  }

  @Test func `answers a repeat alike, and not without end`() {
    var test = TestDocuments()
    _ = test.push(Sample.log("log", [Sample.item("a", "Oats", at: 1)], notes: "n", at: 5), .server)
    let other = Sample.log("log", [Sample.item("b", "Milk", at: 2)], at: 2)
    for _ in 0..<8 { #expect(test.push(other, .server, from: "B")?.word == "merge 1") }
    #expect(test.push(other, .server, from: "B")?.word == "server_wins 2 changed")
  }

  @Test func `asks again after a restart, and ends all the same`() {
    var test = TestDocuments()
    _ = test.push(Sample.log("log", [Sample.item("a", "Oats", at: 1)], notes: "n", at: 5), .server)
    let other = Sample.log("log", [Sample.item("b", "Milk", at: 2)], at: 2)
    #expect(test.push(other, .server, from: "B")?.word == "merge 1")
    test.forgetKept()
    #expect(test.push(other, .server, from: "B")?.word == "merge 1")
    let changed = Sample.log("log", [Sample.item("b", "Milk", at: 2)], at: 3)
    #expect(test.push(changed, .server, from: "B")?.word == "server_wins 2 changed")
  }
}

@Suite struct `a push with many conflicts` {
  /// The number of times that the push is worked out.
  private func evaluations(_ changes: [DocumentChange], _ test: inout TestDocuments) -> Int {
    test.now = test.now.advanced(byMilliseconds: 10)
    let push = DocumentPush(from: "B", decider: .server, changes: changes)
    guard
      case .submit(let transaction, let database, let sender) = test.documents.receive(
        .push(push), from: test.caller, at: test.now)
    else { return 0 }
    var submission = Submission(
      .transaction(transaction), ticket: Ticket(9), in: database, from: sender, at: test.now,
      limits: test.server.limits)
    var count = 1
    while case .needs(let needs) = test.server.offer(&submission, using: &test.generator) {
      test.server.prefetch(needs)
      count += 1
    }
    _ = test.endTurn()
    return count
  }

  @Test func `is worked out as often as one with few`() throws {
    var counts: [Int] = []
    for number in [50, 200] {
      var test = TestDocuments()
      _ = test.push((0..<number).map { Sample.weight(70_000, id: "w\($0)", at: 20) }, .server)
      counts.append(evaluations((0..<number).map { Sample.weight(60_000, id: "w\($0)", at: 10) }, &test))
      #expect(try test.words(from: DocumentCursor(startOf: .conflicts, .changes)).count == number)
    }
    #expect(counts[0] == counts[1])
    #expect(counts[1] <= 4)
  }

  @Test func `is worked out as often as one with few if each log moves from a day of its own`() {
    var counts: [Int] = []
    for number in [7, 28] {
      var test = TestDocuments()
      _ = test.push(
        (0..<number).map { Sample.log("l\($0)", day: "2026-02-\($0 < 9 ? "0" : "")\($0 + 1)", at: 1) }, .server)
      counts.append(evaluations((0..<number).map { Sample.log("l\($0)", day: "2026-03-01", at: 2) }, &test))
    }
    #expect(counts[0] == counts[1])
    #expect(counts[1] <= 5)
  }
}
