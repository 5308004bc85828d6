import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitTables

/// Persons and groups.
extension CommandRun {
  /// `person archive P` and `person unarchive P`.
  mutating func archive(_ word: CommandWords.Word, _ isArchived: Bool) throws(AppRefusal) -> CoinAnswer {
    var row = try book.find(word, in: ["persons"], me: me.id)
    guard row.key.parts[0] != me.id else { throw AppRefusal("you cannot archive yourself") }
    guard row.isLiving else { throw AppRefusal("\(words(for: row)) is deleted; restore it first") }
    let said = "\(isArchived ? "archived" : "unarchived") \(words(for: row))"
    guard row["is_archived"] != .bool(isArchived) else {
      return .unchanged(said: "\(words(for: row)) is like that already")
    }
    let old = row
    row["is_archived"] = .bool(isArchived)
    try save(row, replacing: old)
    return self.said(said)
  }

  /// `me name "Mara"`.
  mutating func nameMe(_ name: String) throws(AppRefusal) -> CoinAnswer {
    for (row, column) in [(me.profile, "display_name"), (me.person ?? me.firstPerson, "name")] as [(CoinRow?, Name)] {
      guard let old = row, old[column] != .text(name) || (column == "name" && me.person == nil) else { continue }
      var new = old
      new[column] = .text(name)
      try save(new, replacing: old)
    }
    return edits.isEmpty ? .unchanged(said: "your name is \(name) already") : said("your name is \(name)")
  }

  /// `group add "Flat" [with P,P] [id UUID]`. The user is a member of each new group.
  mutating func addGroup(
    _ name: String, _ members: [CommandWords.Word], id: UUID
  ) throws(AppRefusal) -> CoinAnswer {
    let key = RowKey([id])
    if let known = book.row("user_groups", key) { throw AppRefusal("\(words(for: known)) has that id already") }
    var persons = [me.id]
    for word in members {
      let person = try person(word)
      // A member twice is no change.
      if !persons.contains(person) { persons.append(person) }
    }
    let group = try add("user_groups", key, ["name": .text(name), "created_date": .timestamp(now)])
    for person in persons { try add("group_members", RowKey([id, person])) }
    return said("added group \(name) \(group.shortID) with \(persons.count.counted("member"))")
  }

  /// `group join G P`.
  mutating func join(_ group: CommandWords.Word, _ person: CommandWords.Word) throws(AppRefusal) -> CoinAnswer {
    let (group, key) = try membership(group, person)
    let done = "\(name(of: key.parts[1])) is a member of \(group.name ?? group.shortID)"
    guard var row = book.row("group_members", key) else {
      try add("group_members", key)
      return said(done)
    }
    guard !row.isLiving else { return .unchanged(said: "\(done) already") }
    row[.deletedAt] = .null
    try save(row)
    return said(done)
  }

  /// `group leave G P`.
  mutating func leave(_ group: CommandWords.Word, _ person: CommandWords.Word) throws(AppRefusal) -> CoinAnswer {
    let (group, key) = try membership(group, person)
    let words = "\(name(of: key.parts[1])) is no member of \(group.name ?? group.shortID)"
    guard let row = book.row("group_members", key), row.isLiving else { return .unchanged(said: "\(words) already") }
    markDeleted(row)
    return said(words)
  }

  private func membership(
    _ group: CommandWords.Word, _ person: CommandWords.Word
  ) throws(AppRefusal) -> (group: CoinRow, key: RowKey) {
    let group = try listed(group, in: ["user_groups"])
    return (group, RowKey([group.key.parts[0], try self.person(person)]))
  }
}
