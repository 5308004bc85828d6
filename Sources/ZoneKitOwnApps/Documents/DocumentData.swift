import ZoneKitDeviceHost
import ZoneKitDocuments
import ZoneKitRecords
import ZoneKitSync

/// The documents of an app that a file describes.
struct DocumentData: OwnData {
  /// The app.
  let app: DocumentApp

  var verbs: [String] { OwnCommand.verbs + OwnCommand.verbsOfItems }
  var types: [Name] { app.schema.collections.map(\.name) }

  func entry(_ record: LocalRecord) -> OwnEntry? {
    app.document(record).map { name, fields in entry(name, fields) }
  }

  /// The entry of a document.
  func entry(_ name: DocumentName, _ fields: Fields) -> OwnEntry {
    OwnEntry(
      id: RecordID(recordName: name.recordName, zoneID: app.zoneID), type: name.collection, word: name.id,
      fields: fields,
      isDeleted: fields.isDeleted)
  }

  func type(_ word: String, known: [Name], isNew: Bool) throws(AppRefusal) -> Name {
    guard let collection = app.schema.collections.first(where: { $0.name.text == word }) else {
      let names = app.schema.collections.filter { !isNew || !$0.isDerived }.map(\.name.text)
      let guess = NearMiss.guess(for: word, among: names).map { "; did you mean \($0)?" }
      throw AppRefusal("there is no collection \(word)\(guess ?? "; there are \(names.joined(separator: ", "))")")
    }
    guard !isNew || !collection.isDerived else {
      throw AppRefusal("\(word) are sums that the server writes; `list \(word)` shows them")
    }
    return collection.name
  }

  /// The collection of an entry.
  func collection(of entry: OwnEntry) -> DocumentCollection {
    app.schema.collection(entry.type) ?? DocumentCollection(entry.type, [])
  }

  func columns(of entries: [OwnEntry]) -> [Name] { entries.first.map { members(of: $0).map(\.name) } ?? [] }

  func fields(of entry: OwnEntry) -> [Name] {
    members(of: entry).map(\.name).filter { entry.fields[$0] != nil } + [.documentStamp]
  }

  /// The members of an entry, those of the sums of a day included.
  private func members(of entry: OwnEntry) -> [DocumentMember] {
    let collection = collection(of: entry)
    guard app.schema.summary?.collection == entry.type else { return collection.members }
    let summed = app.schema.summed
    return (summed.counts + summed.names).map { DocumentMember($0, .integer(Int64.min...Int64.max)) }
  }

  func text(_ value: FieldValue, of field: Name, in entry: OwnEntry) -> String {
    let member = members(of: entry).first { $0.name == field }
    if member?.items != nil {
      return (entry.fields.items(in: field) ?? []).count { !$0.isRemoved }.counted("item")
    }
    return MemberWord.text(of: value, member)
  }

  func plain(_ value: FieldValue, of field: Name, in entry: OwnEntry) -> String {
    if case .string(let text) = value { return text }
    if collection(of: entry).items?.name == field { return json(entry)[field.text]?.text() ?? "" }
    return MemberWord.text(of: value, members(of: entry).first { $0.name == field })
  }

  func isDay(_ field: Name, in entry: OwnEntry) -> Bool { collection(of: entry).member(field)?.kind == .day }

  func remark(on value: FieldValue, of field: Name, in entry: OwnEntry) -> String? { nil }

  func parts(of entry: OwnEntry) -> [String] {
    guard let member = collection(of: entry).items else { return [] }
    return items(of: entry, in: member).map { item in
      let words = (member.items?.members ?? []).compactMap { member in
        MemberWord.value(ofItem: item, member).map { "\(member.name)=\(MemberWord.text(of: $0, member))" }
      }
      return "\(item.id)\(item.isRemoved ? " removed" : "")  \(words.joined(separator: " "))"
    }
  }

  /// The items of an entry, also removed ones, in the order in which users see them: by the time of their creation, then by
  /// ID.
  func items(of entry: OwnEntry, in member: DocumentMember) -> [DocumentItem] {
    (entry.fields.items(in: member.name) ?? []).sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
  }

  func json(_ entry: OwnEntry) -> JSON { app.json(of: DocumentName(entry.type, entry.word), entry.fields) }

  func change(
    _ command: OwnCommand, on shelf: OwnShelf<DocumentData>, using generator: inout some RandomNumberGenerator
  ) throws(AppRefusal) -> OwnChange {
    let run = DocumentRun(data: self, shelf: shelf)
    switch command {
    case .new(let type, let name, let zone, let assignments):
      guard zone == nil else {
        throw AppRefusal("documents are in one zone, \(app.zone); leave in \(zone ?? "") out")
      }
      return try run.new(type, name, assignments) { RandomIdentifier.uuid(using: &generator) }
    case .set(let word, let assignments): return try run.set(word, assignments)
    case .delete(let word): return try run.delete(word)
    case .restore(let word, nil): return try run.restore(word)
    case .restore(let word, let item?): return try run.restore(item: item, of: word)
    case .add(let word, let name, let assignments):
      return try run.add(to: word, name, assignments) { RandomIdentifier.uuid(using: &generator) }
    case .change(let word, let item, let assignments): return try run.change(item: item, of: word, assignments)
    case .drop(let word, let item): return try run.drop(item: item, of: word)
    case .list, .show: throw AppRefusal("the command changes nothing")
    }
  }
}
