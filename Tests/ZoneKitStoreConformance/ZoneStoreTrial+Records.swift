import ZoneKitRecords
import ZoneKitCloud

extension ZoneStoreTrial {
  mutating func checkRecordsReplaced() throws {
    stage([record("a", 1), record("b", 2), record("c", 3)], in: notes)
    commit()
    stage([record("a", 4, type: "Other"), record("c", 5)], in: notes)
    commit()
    try expectRecords(
      [record("b", 2), record("a", 4, type: "Other"), record("c", 5)], in: notes, "after saving again")
    expect(try store.record("A", in: notes), nil, "a name in other letters")
  }

  mutating func checkTombstones() throws {
    stage([record("a", 1, targets: ["b"]), record("b", 2)], in: notes)
    stage([tombstone("a", 3), tombstone("never", 4)], in: notes)
    try expectRecords([record("b", 2), tombstone("a", 3), tombstone("never", 4)], in: notes, "after deleting")
    expect(try store.references(to: "b", in: notes), [], "references of a deleted record")
    commit()
    stage([record("a", 5)], in: notes)
    commit()
    try expectRecords([record("b", 2), tombstone("never", 4), record("a", 5)], in: notes, "after creating again")
  }

  mutating func checkFeed(isReversed: Bool) throws {
    let rows: [StoredRecord] = (1...20).map { (index: Int64) -> StoredRecord in
      let name = Name("r\(index)")
      return index % 4 == 0 ? tombstone(name, index * 10) : record(name, index * 10)
    }
    stage(Array(rows.prefix(12)), in: notes)
    commit()
    stage(Array(rows.suffix(8)), in: notes)
    let starts: [Int64] = [0, 1, 10, 95, 100, 101, 200, 201, Int64.max]
    for start in starts {
      let ahead = isReversed ? rows.reversed().filter { $0.sequence < start } : rows.filter { $0.sequence > start }
      for limit in [1, 3, 7, 20, 200] {
        try expectPages(of: ahead, from: start, isReversed: isReversed, limit: limit)
      }
    }
  }

  private mutating func expectPages(
    of rows: [StoredRecord], from start: Int64, isReversed: Bool, limit: Int
  ) throws {
    var rest = rows[...]
    var position = start
    repeat {
      let query = FeedQuery(position: position, isReversed: isReversed, limit: limit, recordTypes: nil)
      let page = try store.feed(query, in: notes)
      let wanted = rest.prefix(limit)
      rest = rest.dropFirst(limit)
      let place = "page of \(limit) from \(position) \(isReversed ? "backwards" : "forwards")"
      expect(page.page.changes, wanted.map(change), place)
      expect(page.position, wanted.last?.sequence ?? position, "position of the \(place)")
      expect(page.moreComing, !rest.isEmpty, "moreComing of the \(place)")
      position = wanted.last?.sequence ?? position
    } while !rest.isEmpty
  }

  /// A page ends before the row that would make it too large, and has one row at least.
  mutating func checkFeedBytes() throws {
    let rows = (1...6).map { record(Name("r\($0)"), Int64($0)) }
    stage(rows, in: notes)
    commit()
    let whole = try store.feed(
      FeedQuery(position: 0, isReversed: false, limit: 9, recordTypes: nil), in: notes)
    let size = whole.page.bytes.count / rows.count
    for (limit, count) in [(0, 1), (size, 1), (3 * size, 3), (6 * size, 6)] {
      for isReversed in [false, true] {
        let query = FeedQuery(
          position: isReversed ? 7 : 0, isReversed: isReversed, limit: 9, recordTypes: nil, byteLimit: limit)
        let page = try store.feed(query, in: notes)
        let place = "page of \(limit) bytes, \(isReversed ? "backwards" : "forwards")"
        let wanted = isReversed ? rows.reversed().prefix(count) : rows.prefix(count)
        expect(page.page.changes, wanted.map(change), place)
        expect(page.position, wanted.last?.sequence, "position of the \(place)")
        expect(page.moreComing, count < rows.count, "moreComing of the \(place)")
      }
    }
  }

  mutating func checkFeedByType() throws {
    stage(
      [
        record("a", 1, type: "Note"), record("b", 2, type: "List"), tombstone("c", 3, type: "List"),
        record("d", 4, type: "List"), record("e", 5, type: "Note"), record("f", 6, type: "note"),
      ], in: notes)
    commit()
    try expectFeed(ofTypes: ["Note"], from: 0, limit: 9, names: ["a", "c", "e"], position: 5, moreComing: false)
    try expectFeed(ofTypes: ["Note"], from: 0, limit: 2, names: ["a", "c"], position: 3, moreComing: true)
    try expectFeed(ofTypes: ["Note"], from: 5, limit: 2, names: [], position: 5, moreComing: false)
    try expectFeed(
      ofTypes: ["List", "note"], from: 1, limit: 3, names: ["b", "c", "d"], position: 4, moreComing: true)
    try expectFeed(ofTypes: [], from: 0, limit: 1, names: ["c"], position: 3, moreComing: false)
  }

  private mutating func expectFeed(
    ofTypes types: [Name], from start: Int64, limit: Int, names: [Name], position: Int64, moreComing: Bool
  ) throws {
    let query = FeedQuery(position: start, isReversed: false, limit: limit, recordTypes: types)
    let page = try store.feed(query, in: notes)
    let place = "page of \(limit) of types \(types) from \(start)"
    expect(page.page.changes.map(\.recordName), names, place)
    expect(page.position, position, "position of the \(place)")
    expect(page.moreComing, moreComing, "moreComing of the \(place)")
  }

  mutating func checkReferences(_ reopen: (consuming Store) throws -> Store) throws {
    stage(
      [
        record("c", 1, targets: ["x", "y"]), record("a", 2, targets: ["x"], action: .validate),
        twoFields("b", 3, target: "x"), record("d", 4, targets: ["y"]), record("e", 5, targets: ["e"]),
      ], in: notes)
    try expectSources(of: "x", ["a.target", "b.first", "b.second", "c.target"], "staged references")
    commit()
    try self.reopen(reopen)
    try expectSources(of: "x", ["a.target", "b.first", "b.second", "c.target"], "references after reopening")
    try expectSources(of: "y", ["c.target", "d.target"], "references to another")
    try expectSources(of: "X", [], "references to a name in other letters")
    expect(try store.references(to: "x", in: notes).first?.action, .validate, "the action")
    stage([record("c", 6, targets: ["y"]), tombstone("b", 7), record("d", 8, targets: ["x"])], in: notes)
    try expectSources(of: "x", ["a.target", "d.target"], "references after saving and deleting")
    commit()
    try expectSources(of: "x", ["a.target", "d.target"], "the same after a commit")
    try expectSources(of: "y", ["c.target"], "references to another after it")
  }

  private mutating func expectSources(of target: Name, _ wanted: [String], _ what: String) throws {
    let found = try store.references(to: target, in: notes)
    expect(found.map { "\($0.source).\($0.field)" }, wanted, what)
    expect(found.allSatisfy { $0.target == target }, true, "\(what): all of them point to \(target)")
  }

  private func twoFields(_ name: Name, _ sequence: Int64, target: Name) -> StoredRecord {
    var record = record(name, sequence)
    record.references = ["first", "second"].map {
      StoredReference(source: name, field: $0, target: target, action: .deleteSelf)
    }
    return record
  }

  mutating func checkSchema(_ reopen: (consuming Store) throws -> Store) throws {
    let definitions = [
      FieldDefinition(recordType: "Note", field: "b", type: .string),
      FieldDefinition(recordType: "List", field: "b", type: .unknownList),
      FieldDefinition(recordType: "Note", field: "B", type: .int64),
      FieldDefinition(recordType: "Note", field: "a", type: .encryptedBytes),
    ]
    let header = header("Notes", sequence: 0, databaseSequence: 1)
    store.stage(ZoneTransition(header: header, definitions: definitions), in: notes)
    expect(try store.schema(of: "Note", in: notes).map(\.field), ["B", "a", "b"], "staged definitions")
    commit()
    let settled = FieldDefinition(recordType: "List", field: "b", type: .doubleList)
    store.stage(ZoneTransition(header: header, definitions: [settled]), in: notes)
    expect(try store.schema(of: "List", in: notes), [settled], "a definition in the place of an older one")
    commit()
    try self.reopen(reopen)
    expect(try store.schema(of: "List", in: notes), [settled], "the same after reopening")
    expect(try store.schema(of: "Note", in: notes), [definitions[2], definitions[3], definitions[0]], "definitions")
    expect(try store.schema(of: "note", in: notes), [], "definitions of a type in other letters")
    let all = [settled, definitions[2], definitions[3], definitions[0]]
    expect(try store.definitions(in: notes), all, "all definitions by type")
  }

  mutating func checkClearing(_ reopen: (consuming Store) throws -> Store) throws {
    try fill()
    var deleted = header("Notes", sequence: 2, databaseSequence: 2)
    deleted.deletion = .deleted
    store.stage(ZoneTransition(header: deleted, clearsZone: true), in: notes)
    try expectCleared("a staged clearing")
    let renewed = header("Notes", sequence: 3, databaseSequence: 3, incarnation: 8)
    store.stage(ZoneTransition(header: renewed, clearsZone: true, records: [record("b", 3)]), in: notes)
    commit()
    try self.reopen(reopen)
    try expectRecords([record("b", 3)], in: notes, "a zone that was cleared and filled")
    expect(try store.record("a", in: notes), nil, "a record from before the clearing")
    expect(try store.zone(notes), renewed, "the header of the zone created again")
    store.stage(ZoneTransition(header: deleted, clearsZone: true), in: notes)
    commit()
    try self.reopen(reopen)
    try expectCleared("a committed clearing")
    expect(try store.zone(notes), deleted, "the header of the deleted zone")
  }

  mutating func checkClearingLost(_ reopen: (consuming Store) throws -> Store) throws {
    try fill()
    stage([record("c", 3)], in: notes, databaseSequence: 2)
    store.stage(
      ZoneTransition(header: header("Notes", sequence: 3, databaseSequence: 3), clearsZone: true), in: notes)
    stage([record("d", 4)], in: notes, databaseSequence: 4)
    try self.reopen(reopen)
    try expectRecords([record("a", 1, targets: ["b"]), tombstone("b", 2)], in: notes, "a zone whose clearing was lost")
    expect(try store.references(to: "b", in: notes).count, 1, "its references")
    expect(try store.schema(of: "Note", in: notes).count, 1, "its definitions")
    expect(try store.zone(notes)?.sequence, 2, "its sequence")
  }

  private mutating func fill() throws {
    let definition = FieldDefinition(recordType: "Note", field: "target", type: .reference)
    store.stage(
      ZoneTransition(
        header: header("Notes", sequence: 2, databaseSequence: 1),
        records: [record("a", 1, targets: ["b"]), tombstone("b", 2)], definitions: [definition]),
      in: notes)
    commit()
  }

  private mutating func expectCleared(_ what: String) throws {
    try expectRecords([], in: notes, what)
    expect(try store.record("a", in: notes), nil, "\(what): a record")
    expect(try store.references(to: "b", in: notes), [], "\(what): references")
    expect(try store.schema(of: "Note", in: notes), [], "\(what): definitions")
  }

  mutating func checkExactBytes(_ reopen: (consuming Store) throws -> Store) throws {
    let names: [Name] = ["a\u{0}b", "a", "e\u{301}", "é", "日本", "'; --", "%", " a "]
    var records = names.enumerated().map { record($0.element, Int64($0.offset + 1), type: "T_1") }
    records[0].fields = EncodedFields(canonical: Array(repeating: 0x20, count: 1 << 20))
    records[1].parent = "p\u{0}q"
    records[2].created.at = WallTime(milliseconds: -1)
    records[2].modified.at = WallTime(milliseconds: .max)
    records[3].created.author = Author(userRecordName: "", deviceID: "d\u{0}e")
    records[4].sequence = .max - 1
    records[4...].indices.dropFirst().forEach { records[$0].sequence = .max - 10 + Int64($0) }
    records.sort { $0.sequence < $1.sequence }
    let header = header("Notes", sequence: .max - 1, databaseSequence: .max - 1)
    store.stage(ZoneTransition(header: header, records: records), in: notes)
    commit()
    try self.reopen(reopen)
    try expectRecords(records, in: notes, "unusual records after reopening")
    expect(try store.zone(notes), header, "a header with great numbers")
  }
}
