import ZoneKitRecords
import ZoneKitCloud

extension ZoneStoreTrial {
  mutating func checkPrefetching() throws {
    let definition = FieldDefinition(recordType: "Note", field: "target", type: .reference)
    let missing = ZoneKey(database: database, zoneName: "Missing")
    stage([record("a", 1, targets: ["b"]), record("b", 2)], in: notes)
    commit()
    let change = ZoneTransition(
      header: header("Notes", sequence: 3, databaseSequence: 2), records: [tombstone("b", 3)],
      definitions: [definition])
    store.stage(change, in: notes)
    let query = FeedQuery(position: 1, isReversed: false, limit: 5, recordTypes: nil)
    let needs: [Need] = [
      .database(database), .zones(of: database), .zone(notes), .zone(missing), .records(["a", "b", "c"], in: notes),
      .references(to: ["b", "c"], in: notes), .schema(of: ["Note", "None"], in: notes), .feed(query, in: notes),
      .records(["a"], in: missing),
    ]
    var set = WorkingSet()
    expect(set.missing(of: needs), needs, "what an empty working set lacks")
    store.prefetch(needs, into: &set)
    expect(set.missing(of: needs), [], "what is missing after prefetching")
    expect(try set.database(database), try store.database(database), "the prefetched database")
    expect(try set.zones(of: database).headers, try store.zones(in: database), "the prefetched zones")
    expect(try set.content(of: missing).knownHeader(), nil, "the prefetched header of no zone")
    expect(try set.content(of: missing).record("a"), nil, "the prefetched record of no zone")
    let content = set.content(of: notes)
    expect(try content.knownHeader(), change.header, "the prefetched header")
    for name in ["a", "b", "c"] as [Name] {
      expect(try content.record(name), try store.record(name, in: notes), "the prefetched record \(name)")
    }
    for name in ["b", "c"] as [Name] {
      expect(try content.references(to: name), try store.references(to: name, in: notes), "references to \(name)")
    }
    expect(try content.schema(of: "Note"), [definition], "the prefetched schema")
    expect(try content.schema(of: "None"), [], "the prefetched schema of no type")
    expect(try content.feed(query), try store.feed(query, in: notes), "the prefetched page")
  }

  mutating func checkStaleZone(_ reopen: (consuming Store) throws -> Store) throws {
    let other = ZoneKey(database: database, zoneName: "Other")
    stage([record("a", 1)], in: notes)
    commit()
    let first = try store.zone(notes)
    stageThird(in: notes, expecting: ZoneExpectation(zone: first, databaseSequence: 1))
    commit()
    let second = try store.zone(notes)
    expect(second?.sequence, 3, "the sequence after a change that was expected")
    let wrong = [
      (notes, ZoneExpectation(zone: first, databaseSequence: nil)),
      (notes, ZoneExpectation(zone: nil, databaseSequence: nil)),
      (notes, ZoneExpectation(zone: second, databaseSequence: 1)),
      (ZoneKey(database: database, zoneName: "New"), ZoneExpectation(zone: second, databaseSequence: nil)),
    ]
    for (number, (key, expectation)) in wrong.enumerated() {
      stageThird(in: key, expecting: expectation)
      stage([record("a", Int64(number) + 1)], in: other, databaseSequence: 2)
      expect(store.commit(), [CommitFailure(place: .zone(key), cause: .stale)], "failures of stale change \(number)")
      try expectRecords([record("a", Int64(number) + 1)], in: other, "the zone beside a stale change")
    }
    try self.reopen(reopen)
    expect(try store.zone(notes), second, "the header after stale changes")
    try expectRecords([record("a", 1), record("c", 3)], in: notes, "after stale changes")
    expect(try store.zones(in: database).map(\.zoneName), ["Notes", "Other"], "zones after stale changes")
    // A change that was good goes with a stale one of the same zone and turn.
    stage([record("d", 4)], in: notes, databaseSequence: 2)
    stageThird(in: notes, expecting: ZoneExpectation(zone: second, databaseSequence: nil))
    expect(store.commit().map(\.cause), [.stale], "failures of a change that was stale within the turn")
    expect(try store.zone(notes), second, "the header after a turn that was stale")
    stageThird(
      in: ZoneKey(database: database, zoneName: "New"), expecting: ZoneExpectation(zone: nil, databaseSequence: 2))
    commit()
  }

  /// Stages the record c with the sequence 3.
  private mutating func stageThird(in zone: ZoneKey, expecting expectation: ZoneExpectation) {
    let header = header(zone.zoneName, sequence: 3, databaseSequence: 2)
    store.stage(ZoneTransition(header: header, records: [record("c", 3)], expected: expectation), in: zone)
  }

  mutating func checkStaleDatabase(_ reopen: (consuming Store) throws -> Store) throws {
    let empty = DatabaseExpectation(DatabaseState())
    let subscription = Subscription(subscriptionID: "a", kind: .database, notificationInfo: nil)
    store.stage(DatabaseTransition(identity: 5, savedSubscriptions: [subscription], expected: empty), in: database)
    stage([record("a", 1)], in: notes)
    commit()
    let state = try store.database(database)
    store.stage(DatabaseTransition(identity: 6, expected: empty), in: database)
    stage([record("a", 2)], in: notes, databaseSequence: 2)
    expect(
      store.commit(), [CommitFailure(place: .database(database), cause: .stale)], "failures of a stale state")
    try self.reopen(reopen)
    expect(try store.database(database).identity, 5, "the identity after a stale change")
    try expectRecords([record("a", 2)], in: notes, "the zone beside a stale change")
    // The sequence is the zones' affair, and no part of what is expected.
    store.stage(DatabaseTransition(identity: 7, expected: DatabaseExpectation(state)), in: database)
    commit()
    expect(try store.database(database).identity, 7, "the identity after a change that was expected")
  }
}
