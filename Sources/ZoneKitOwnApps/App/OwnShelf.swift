import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSync

/// The entries of a device's store for one command. It reads a type when the command first needs it.
struct OwnShelf<Data: OwnData> {
  /// The kind of data.
  let data: Data
  /// The device's state.
  let view: AppView

  /// The types of which the store has entries.
  func knownTypes() throws(AppRefusal) -> [Name] {
    let types = try reading { () throws(StoreError) in try view.store.census().counts.map(\.recordType) }
    var known: [Name] = []
    for type in Set(types).sorted() where !(try entries(of: type).isEmpty) { known.append(type) }
    return known
  }

  /// The entries of a type, also deleted ones, in ascending order of their IDs.
  func entries(of type: Name) throws(AppRefusal) -> [OwnEntry] {
    try reading { () throws(StoreError) in try view.store.records(ofType: type).compactMap(data.entry) }
  }

  /// All entries, also deleted ones, in ascending order of their IDs.
  func entries() throws(AppRefusal) -> [OwnEntry] {
    let types = try reading { () throws(StoreError) in try view.store.census().counts.map(\.recordType) }
    var entries: [OwnEntry] = []
    for type in Set(types).sorted() { entries += try self.entries(of: type) }
    return entries.sorted { $0.id < $1.id }
  }

  /// The entry of a record; nil if there is none.
  func entry(_ id: RecordID) throws(AppRefusal) -> OwnEntry? {
    try record(id).flatMap(data.entry)
  }

  /// The record of that ID; nil if there is none.
  func record(_ id: RecordID) throws(AppRefusal) -> LocalRecord? {
    try reading { () throws(StoreError) in try view.store.record(id) }
  }

  /// The only entry that a word stands for, also a deleted one: its ID, the beginning of its ID in any case, `TYPE.` before
  /// either, or `@N` for the Nth one.
  func find(_ word: String) throws(AppRefusal) -> OwnEntry {
    let entries = try entries()
    guard !entries.isEmpty else { throw AppRefusal("there is nothing yet; `new TYPE FIELD=VALUE` makes something") }
    if let exact = entries.only(where: { $0.id.recordName.text == word || $0.word == word }) { return exact }
    var (candidates, wanted) = (entries, word)
    if let dot = word.firstIndex(of: ".") {
      let ofType = entries.filter { $0.type.text == word[..<dot] }
      if !ofType.isEmpty { (candidates, wanted) = (ofType, String(word[word.index(after: dot)...])) }
    }
    if wanted.hasPrefix("@") {
      guard let number = Int(wanted.dropFirst()), number > 0 else {
        throw AppRefusal("\(word): expected @1, @2 ... for one that is there")
      }
      return candidates[(number - 1) % candidates.count]
    }
    if let exact = candidates.only(where: { $0.word == wanted }) { return exact }
    let upper = Array(wanted.uppercased().utf8)
    let found = candidates.filter { $0.word.uppercased().utf8.starts(with: upper) }
    guard let first = found.first, !upper.isEmpty else {
      let guess = NearMiss.guess(for: wanted, among: candidates.map(\.word)).map { "; did you mean \($0)?" }
      throw AppRefusal("no ID begins with \"\(word)\"\(guess ?? "; `list` shows what is there")")
    }
    guard found.count == 1 else {
      let some = found.prefix(5).map { "\($0.type).\($0.word)" }.joined(separator: ", ")
      let more = found.count > 5 ? " and \(found.count - 5) more" : ""
      throw AppRefusal("\"\(word)\" stands for several: \(some)\(more); give more characters, or TYPE.ID")
    }
    return first
  }

  /// The result of reading the store. A store that cannot be read refuses the command.
  private func reading<Result>(_ read: () throws(StoreError) -> Result) throws(AppRefusal) -> Result {
    do throws(StoreError) { return try read() } catch { throw AppRefusal("\(error)") }
  }
}

extension [OwnEntry] {
  /// The element for which that is so; nil if there are none or several.
  fileprivate func only(where isWanted: (OwnEntry) -> Bool) -> OwnEntry? {
    let found = filter(isWanted)
    return found.count == 1 ? found[0] : nil
  }
}
