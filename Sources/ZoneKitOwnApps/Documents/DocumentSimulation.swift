import ZoneKitDeviceHost
import ZoneKitDocuments
import ZoneKitRecords
import ZoneKitSync

/// The part of an app with documents in a simulation: random commands that are drawn from the schema, and checks.
struct DocumentSimulation: Sendable {
  private let app: DocumentApp
  private let collections: [DocumentCollection]

  /// The part of the app with those documents.
  init(_ app: DocumentApp) {
    self.app = app
    collections = app.schema.collections.filter { !$0.isDerived }
  }

  /// The properties for `DeviceApp.simulation`.
  var part: DeviceApp.Simulation {
    let laws = DocumentLaws(of: app)
    var part = DeviceApp.Simulation()
    part.mergePolicy = laws.mergePolicy
    part.judge = laws.judge
    part.judgeCommand = judge
    part.judgeAgreement = laws.judgeAgreement
    part.flaw = laws.flaw
    part.law = laws.law
    part.randomLine = randomLine
    return part
  }

  /// A command changes one document, and of one that was there before only the members that it names. Of items it changes
  /// the one that it names.
  @Sendable private func judge(_ line: String, _ changes: [DeviceApp.Change]) -> String? {
    let verbs = OwnCommand.verbs + OwnCommand.verbsOfItems
    guard case let command? = try? OwnCommand(parsing: line, verbs: verbs) else { return nil }
    var allowed: Set<Name> = [.documentStamp]
    switch command {
    case .set: break
    case .delete, .restore(_, nil): allowed.insert(.deleted)
    default: allowed.formUnion(app.schema.collections.compactMap { $0.items?.name })
    }
    return command.flaw(in: changes, as: line, allowed: allowed, ofParts: flaw(ofItemsIn:))
  }

  private func flaw(ofItemsIn change: DeviceApp.Change) -> String? {
    for field in collections.compactMap({ $0.items?.name }) {
      let (old, new) = (change.oldFields.items(in: field) ?? [], change.newFields.items(in: field) ?? [])
      let changed = new.filter { !old.contains($0) }
      if let gone = old.first(where: { item in !new.contains { $0.id == item.id } }) {
        return "\(change.id.words): item \(gone.id) is gone"
      }
      if changed.count > 1 { return "\(change.id.words): items \(changed[0].id) and \(changed[1].id) changed" }
    }
    return nil
  }

  // MARK: Random commands

  /// Few documents with many edits, so that users often meet on one.
  @Sendable private func randomLine(_ draw: () -> UInt64) -> String {
    let collection = collections[Int(draw() % UInt64(collections.count))]
    let (number, item) = (draw() % 3 + 1, "i\(draw() % 4 + 1)")
    let word = "\(collection.name).\(id(of: collection, number))"
    let members = collection.items?.items?.members ?? []
    let kind = draw() % 16
    switch kind {
    case 0: return "delete \(word)"
    case 1: return "restore \(word)"
    case 2, 3: return new(collection, number, draw)
    default:
      if kind < 11, !members.isEmpty { return line(ofItem: item, word, members, kind, draw) }
      let own = collection.members.filter { $0.items == nil && collection.identity != .member($0.name) }
      return own.isEmpty ? new(collection, number, draw) : "set \(word) \(some(own, draw))"
    }
  }

  private func line(
    ofItem item: String, _ word: String, _ members: [DocumentMember], _ kind: UInt64, _ draw: () -> UInt64
  ) -> String {
    switch kind {
    case 4...6: "add \(word) as \(item) \(all(members, draw))"
    case 7, 8: "change \(word) \(item) \(some(members, draw))"
    case 9: "drop \(word) \(item)"
    default: "restore \(word) \(item)"
    }
  }

  private func id(of collection: DocumentCollection, _ number: UInt64) -> String {
    if case .only(let id) = collection.identity { id } else { "d\(number)" }
  }

  private func new(_ collection: DocumentCollection, _ number: UInt64, _ draw: () -> UInt64) -> String {
    let id = id(of: collection, number)
    let values = collection.members.filter { $0.items == nil }.compactMap { member -> String? in
      if collection.identity == .member(member.name) { return "\(member.name)=\(id)" }
      return member.canLack && draw() % 2 == 0 ? nil : assignment(to: member, draw)
    }
    return (["new \(collection.name) as \(id)"] + values).joined(separator: " ")
  }

  /// Values for the members that have to be there, and for some others.
  private func all(_ members: [DocumentMember], _ draw: () -> UInt64) -> String {
    members.filter { !$0.canLack || draw() % 3 == 0 }.map { assignment(to: $0, draw) }.joined(separator: " ")
  }

  /// A value for one or two members, or none for one that may be without.
  private func some(_ members: [DocumentMember], _ draw: () -> UInt64) -> String {
    let first = Int(draw() % UInt64(members.count))
    let count = members.count > 1 && draw() % 4 == 0 ? 2 : 1
    return (0..<count).map { index in
      let member = members[(first + index) % members.count]
      return member.isOptional && draw() % 6 == 0 ? "\(member.name)=none" : assignment(to: member, draw)
    }.joined(separator: " ")
  }

  private func assignment(to member: DocumentMember, _ draw: () -> UInt64) -> String {
    "\(member.name)=\(value(of: member, draw))"
  }

  /// A value that the member can have, at times at a limit of its range.
  private func value(of member: DocumentMember, _ draw: () -> UInt64) -> String {
    switch member.kind {
    case .text(let range):
      let texts = ["t\(draw() % 100)", "same", "caf\u{E9}", "cafe\u{301}", "\"a b\""]
      let text = texts[Int(draw() % 5)]
      let length = text.unicodeScalars.count { $0 != "\"" }
      guard !range.contains(length) else { return text }
      return "\"\(String(repeating: "x", count: min(max(range.lowerBound, 1), range.upperBound)))\""
    case .day: return UnusualWords.day(draw)
    case .time: return ["now", "2026-11-21T06:06:01Z", "2199-12-31T23:59"][Int(draw() % 3)]
    case .integer(let range):
      switch draw() % 6 {
      case 0: return "\(range.lowerBound)"
      case 1: return "\(range.upperBound)"
      default:
        let (number, isTooLarge) = range.lowerBound.addingReportingOverflow(Int64(draw() % 1_000))
        return "\(isTooLarge ? range.upperBound : min(number, range.upperBound))"
      }
    case .number(let range): return "\(min(max(Double(draw() % 100) / 4, range.lowerBound), range.upperBound))"
    case .boolean: return draw() % 2 == 0 ? "true" : "false"
    case .choice(let words): return CommandWords.Word(words[Int(draw() % UInt64(words.count))], isQuoted: true).source
    case .documentID: return "d\(draw() % 3 + 1)"
    case .items: return ""
    }
  }
}
