import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSync

/// Records of any type in the zones of CloudKit. A field has the type of the first value that it was given.
struct RecordData: OwnData {
  /// The zone of new records.
  static let zone = ZoneID(zoneName: "Records")
  /// The field with the time of the last edit, which the device sets.
  static let stamp: Name = "updatedAt"

  /// What decides between versions that were edited apart.
  static let mergePolicy = MergePolicy.newestEdit(stamp: stamp)

  var verbs: [String] { OwnCommand.verbs }
  var types: [Name] { [] }

  func entry(_ record: LocalRecord) -> OwnEntry? {
    guard record.recordType != ConflictRecord.recordType, let local = record.local,
      let fields = try? local.fields.decoded()
    else { return nil }
    return OwnEntry(
      id: record.recordID, type: record.recordType, word: Self.word(for: record.recordID), fields: fields,
      parent: local.parent)
  }

  /// The ID of a record as users read and type it: its name, with its zone unless that is the usual one.
  static func word(for id: RecordID) -> String { id.zoneID == zone ? id.recordName.text : id.words }

  func type(_ word: String, known: [Name], isNew: Bool) throws(AppRefusal) -> Name {
    let name = Name(word)
    guard !known.contains(name) else { return name }
    guard Self.isIdentifier(word) else {
      throw AppRefusal("\"\(word)\" is no record type; expected a letter, then letters, digits and _, as in Task")
    }
    guard !isNew else { return name }
    let names = known.map(\.text)
    let guess = NearMiss.guess(for: word, among: names).map { "; did you mean \($0)?" }
    let others = names.isEmpty ? "" : "; there are \(names.joined(separator: ", "))"
    throw AppRefusal("there is no record of type \(word)\(guess ?? others)")
  }

  func columns(of entries: [OwnEntry]) -> [Name] {
    Set(entries.flatMap { $0.fields.sorted.map(\.name) }).subtracting([Self.stamp]).sorted()
  }

  func fields(of entry: OwnEntry) -> [Name] { entry.fields.sorted.map(\.name) }

  func text(_ value: FieldValue, of field: Name, in entry: OwnEntry) -> String { RecordWord.text(of: value) }

  func plain(_ value: FieldValue, of field: Name, in entry: OwnEntry) -> String {
    if case .string(let text) = value { text } else { RecordWord.text(of: value) }
  }

  func isDay(_ field: Name, in entry: OwnEntry) -> Bool { false }

  func parts(of entry: OwnEntry) -> [String] { [] }

  func remark(on value: FieldValue, of field: Name, in entry: OwnEntry) -> String? { value.type.rawValue }

  func json(_ entry: OwnEntry) -> JSON {
    JSON(known: [
      "recordName": .string(entry.id.recordName.text), "zone": .string(entry.id.zoneID.zoneName.text),
      "recordType": .string(entry.type.text), "parent": entry.parent.map { .string($0.text) },
      "fields": try? JSON(parsing: EncodedFields(entry.fields).utf8),
    ])
  }

  // MARK: Changes

  func change(
    _ command: OwnCommand, on shelf: OwnShelf<RecordData>, using generator: inout some RandomNumberGenerator
  ) throws(AppRefusal) -> OwnChange {
    switch command {
    case .new(let word, let name, let zone, let assignments):
      let type = try type(word, known: [], isNew: true)
      let name = try name.map(checkedName) ?? RandomIdentifier.uuid(using: &generator)
      let id = RecordID(recordName: Name(name), zoneID: try zone.map(self.zone) ?? Self.zone)
      guard try shelf.entry(id) == nil else {
        throw AppRefusal("there is a record \(name) already; `set \(name) FIELD=VALUE` changes it")
      }
      var entry = OwnEntry(id: id, type: type, word: Self.word(for: id), fields: Fields())
      try set(assignments, in: &entry, on: shelf)
      return OwnChange(entry, said: "made \(entry.words)")
    case .set(let word, let assignments):
      let old = try shelf.find(word)
      var entry = old
      try set(assignments, in: &entry, on: shelf)
      return OwnChange(entry, from: old, assignments)
    case .delete(let word): return OwnChange(deleting: try shelf.find(word))
    case .list, .show, .restore, .add, .change, .drop:
      throw AppRefusal("records have no such command; there are \(verbs.joined(separator: ", "))")
    }
  }

  private func set(
    _ assignments: [CommandWords.Assignment], in entry: inout OwnEntry, on shelf: OwnShelf<RecordData>
  ) throws(AppRefusal) {
    for typed in assignments {
      let name = try field(typed.name)
      guard let value = try RecordWord.value(of: typed, now: shelf.view.wall, in: shelf.view.timeZone) else {
        entry.fields.remove(name)
        continue
      }
      let known = try known(name, of: entry, on: shelf)
      guard value != .unknownList || known != nil else {
        throw AppRefusal(
          "\(typed.name) has no type yet, and an empty list gives it none; give it a list with a value first")
      }
      let fitted = try known.map { (known) throws(AppRefusal) in
        try FieldFit.value(value, as: known.value.type, typed: typed, in: entry.type)
      }
      entry.fields.set(Field(name: name, value: fitted ?? value, isEncrypted: known?.isEncrypted ?? false))
    }
  }

  /// The field of that name in the entry, otherwise in another entry of its type; nil if there is none.
  private func known(
    _ name: Name, of entry: OwnEntry, on shelf: OwnShelf<RecordData>
  ) throws(AppRefusal) -> Field? {
    if let own = entry.fields.sorted.first(where: { $0.name == name }) { return own }
    for other in try shelf.entries(of: entry.type) {
      if let field = other.fields.sorted.first(where: { $0.name == name }) { return field }
    }
    return nil
  }

  // MARK: Names

  private func field(_ word: String) throws(AppRefusal) -> Name {
    guard Self.isIdentifier(word) else {
      throw AppRefusal("\"\(word)\" is no name of a field; expected a letter, then letters, digits and _, as in title")
    }
    guard Name(word) != Self.stamp else {
      throw AppRefusal("\(word) is the time of the last edit, which the device sets; choose another field")
    }
    return Name(word)
  }

  private func zone(_ word: String) throws(AppRefusal) -> ZoneID {
    guard (1...Name.lengthLimit).contains(word.unicodeScalars.count), !word.hasPrefix("_") else {
      throw AppRefusal("\"\(word)\" is no name of a zone; expected 1 to 255 characters, the first not _")
    }
    return ZoneID(zoneName: Name(word))
  }

  private func checkedName(_ text: String) throws(AppRefusal) -> String {
    guard (1...Name.lengthLimit).contains(text.unicodeScalars.count), !text.hasPrefix("_"), !text.hasPrefix("@") else {
      throw AppRefusal("\"\(text)\" is no name of a record; expected 1 to 255 characters, the first not _ or @")
    }
    return text
  }

  /// Whether a text can be the name of a field or a record type (CloudKit Web Services, b.3).
  static func isIdentifier(_ text: String) -> Bool {
    func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) }
    guard text.utf8.count <= Name.lengthLimit, let first = text.utf8.first, isLetter(first) else { return false }
    return text.utf8.allSatisfy { isLetter($0) || $0 == UInt8(ascii: "_") || (0x30...0x39).contains($0) }
  }
}
