import ZoneKitDeviceHost
import ZoneKitDocuments
import ZoneKitRecords

/// Which documents and items a user's words stand for.
extension Diary {
  /// The only document of those collections that a word stands for: an ID or the beginning of one, in which case does not
  /// matter, the name of a record, or `@N` for the Nth document. Deleted documents count too.
  func find(_ word: String, in collections: [Name]) throws(AppRefusal) -> DietDocument {
    let nouns = collections.count == 1 ? DietLog.word(collections[0]) : "document"
    var (meant, prefix) = (collections, word)
    if let dot = word.firstIndex(of: ".") {
      meant = collections.filter { $0.text == word[..<dot] }
      guard !meant.isEmpty else {
        let known = collections.map(\.text).joined(separator: ", ")
        throw AppRefusal("\"\(word[..<dot])\" is no collection for this command; expected \(known)")
      }
      prefix = String(word[word.index(after: dot)...])
    }
    let documents = meant.flatMap { self.documents(in: $0) }
    guard !documents.isEmpty else { throw AppRefusal(DietText.empty(meant[0])) }
    if prefix.hasPrefix("@") { return documents[try Self.place(prefix, of: documents.count)] }
    if let exact = documents.first(where: { $0.name.id == prefix }) { return exact }
    let upper = Array(prefix.uppercased().utf8)
    let found = documents.filter { $0.name.id.uppercased().utf8.starts(with: upper) }
    guard let first = found.first, !upper.isEmpty else {
      throw AppRefusal("no \(nouns) has an ID that begins with \"\(word)\"; `list` shows what is there")
    }
    guard found.count == 1 else { throw Self.ambiguous(word, found.map(\.name.id)) }
    return first
  }

  /// The only item of a log that a word stands for: the beginning of its ID, its name, or `@N` for the Nth item. Removed
  /// items count only if asked for.
  static func item(
    _ word: CommandWords.Word, of log: DietDocument, isRemoved: Bool
  ) throws(AppRefusal) -> DocumentItem {
    let items = log.items.filter { $0.isRemoved == isRemoved }
    let what = isRemoved ? "removed item" : "item"
    guard !items.isEmpty else {
      let right = isRemoved ? "`show \(log.shortID)` lists its items" : "`add \(log.shortID) \"Oats\" 60 g` adds one"
      throw AppRefusal("\(log.words) has no \(what); \(right)")
    }
    if !word.isQuoted, word.text.hasPrefix("@") { return items[try place(word.text, of: items.count)] }
    let upper = Array(word.text.uppercased().utf8)
    let begun = word.isQuoted ? [] : items.filter { $0.id.uppercased().utf8.starts(with: upper) }
    let found = begun.isEmpty ? items.filter { $0.name == word.text } : begun
    guard let first = found.first, !upper.isEmpty else {
      throw AppRefusal("\(log.words) has no \(what) \"\(word.text)\"; `show \(log.shortID)` lists them")
    }
    guard found.count == 1 else { throw ambiguous(word.text, found.map(\.id)) }
    return first
  }

  /// The index for `@1`, `@2` and so on, counted cyclically. So commands can be written before the IDs are known.
  private static func place(_ word: String, of count: Int) throws(AppRefusal) -> Int {
    guard let number = Int(word.dropFirst()), number > 0 else {
      throw AppRefusal("\(word): expected @1, @2 ... for one that is there")
    }
    return (number - 1) % count
  }

  private static func ambiguous(_ word: String, _ ids: [String]) -> AppRefusal {
    let first = ids.prefix(5).joined(separator: ", ")
    let more = ids.count > 5 ? " and \(ids.count - 5) more" : ""
    return AppRefusal("\"\(word)\" stands for several: \(first)\(more); give more characters of the ID")
  }
}
