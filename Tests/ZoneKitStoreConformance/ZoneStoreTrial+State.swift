import ZoneKitRecords
import ZoneKitCloud

extension ZoneStoreTrial {
  mutating func checkEmpty() throws {
    expect(try store.databases(), [], "the databases of a new store")
    expect(try store.database(database), DatabaseState(), "a new database")
    expect(try store.zones(in: database), [], "its zones")
    expect(try store.zone(notes), nil, "a zone that never was")
    expect(try store.record("n", in: notes), nil, "a record of it")
    expect(try store.references(to: "n", in: notes), [], "references in it")
    expect(try store.schema(of: "Note", in: notes), [], "its schema")
    let query = FeedQuery(position: 3, isReversed: false, limit: 5, recordTypes: nil)
    expect(try store.feed(query, in: notes), FeedPage(page: RecordPage(), position: 3, moreComing: false), "its feed")
    commit()
  }

  mutating func checkStagedIsReadable() throws {
    stage([record("a", 1), record("b", 2)], in: notes)
    try expectRecords([record("a", 1), record("b", 2)], in: notes, "staged")
    expect(try store.zone(notes)?.sequence, 2, "the staged header's sequence")
    stage([record("a", 3)], in: notes, databaseSequence: 2)
    try expectRecords([record("b", 2), record("a", 3)], in: notes, "staged twice")
    expect(try store.database(database).sequence, 2, "the staged database sequence")
  }

  mutating func checkCommittedIsReadable() throws {
    stage([record("a", 1), record("b", 2)], in: notes)
    commit()
    try expectRecords([record("a", 1), record("b", 2)], in: notes, "committed")
    commit()
    try expectRecords([record("a", 1), record("b", 2)], in: notes, "after a commit of nothing")
  }

  mutating func checkCommittedIsDurable(_ reopen: (consuming Store) throws -> Store) throws {
    stage([record("a", 1), record("b", 2)], in: notes)
    stage([tombstone("a", 3)], in: notes, databaseSequence: 2)
    commit()
    let before = try store.zone(notes)
    try self.reopen(reopen)
    expect(try store.zone(notes), before, "the header after reopening")
    try expectRecords([record("b", 2), tombstone("a", 3)], in: notes, "after reopening")
    expect(try store.database(database).sequence, 2, "the database sequence after reopening")
  }

  mutating func checkStagedIsLost(_ reopen: (consuming Store) throws -> Store) throws {
    stage([record("a", 1)], in: notes)
    commit()
    stage([record("a", 2), record("b", 3)], in: notes, databaseSequence: 2)
    stage([tombstone("a", 4), record("b", 5)], in: notes, databaseSequence: 2)
    stage([record("x", 1)], in: ZoneKey(database: database, zoneName: "New"), databaseSequence: 3)
    store.stage(DatabaseTransition(identity: 5, savedRegistrations: [registration("t")]), in: database)
    try self.reopen(reopen)
    try expectRecords([record("a", 1)], in: notes, "after losing what was staged")
    expect(try store.record("b", in: notes), nil, "a record that was only staged")
    expect(try store.zones(in: database).map(\.zoneName), ["Notes"], "zones after losing what was staged")
    expect(try store.database(database), DatabaseState(sequence: 1), "the database after losing what was staged")
    stage([record("b", 2)], in: notes, databaseSequence: 2)
    commit()
    try expectRecords([record("a", 1), record("b", 2)], in: notes, "a sequence used again after a crash")
  }

  mutating func checkZonesInOrder(_ reopen: (consuming Store) throws -> Store) throws {
    let names: [Name] = [" ", "%2F", "..", "A", "A/B", "_defaultZone", "a", "a\u{0}b", "e\u{301}", "é", "日"]
    for (index, name) in names.reversed().enumerated() {
      var header = header(name, sequence: 0, databaseSequence: Int64(index + 1), incarnation: .max)
      header.deletion = index % 3 == 0 ? .deleted : nil
      store.stage(ZoneTransition(header: header), in: ZoneKey(database: database, zoneName: name))
    }
    expect(try store.zones(in: database).map(\.zoneName), names, "staged zones")
    commit()
    try self.reopen(reopen)
    let zones = try store.zones(in: database)
    expect(zones.map(\.zoneName), names, "zones after reopening")
    expect(zones.last?.isDeleted, true, "a deleted zone's mark")
    expect(zones.last?.incarnation, .max, "an incarnation of 64 bits")
    for name in names {
      let key = ZoneKey(database: database, zoneName: name)
      expect(try store.zone(key)?.zoneName, name, "the zone \(name)")
    }
  }

  mutating func checkDatabasesApart() throws {
    let others = [
      DatabaseID(container: "iCloud.b", environment: .development, user: "nanny", scope: .private),
      DatabaseID(container: "iCloud.a", environment: .production, user: "nanny", scope: .private),
      DatabaseID(container: "iCloud.a", environment: .development, user: "Nanny", scope: .private),
      DatabaseID(container: "iCloud.a", environment: .development, user: "nanny", scope: .shared),
      DatabaseID(container: "iCloud.a", environment: .development, user: "nanny", scope: .public),
    ]
    stage([record("a", 1)], in: notes)
    store.stage(DatabaseTransition(identity: 5), in: database)
    stage([record("a", 9)], in: ZoneKey(database: database, zoneName: "notes"), databaseSequence: 2)
    commit()
    try expectRecords([record("a", 1)], in: notes, "a zone beside another")
    for other in others {
      expect(try store.database(other), DatabaseState(), "the database \(other)")
      expect(try store.zones(in: other), [], "zones of \(other)")
      expect(try store.record("a", in: ZoneKey(database: other, zoneName: "Notes")), nil, "a record of \(other)")
    }
  }

  mutating func checkDatabaseSequence(_ reopen: (consuming Store) throws -> Store) throws {
    let other = ZoneKey(database: database, zoneName: "Other")
    stage([record("a", 1)], in: notes, databaseSequence: 7)
    stage([record("a", 1)], in: other, databaseSequence: 8)
    expect(try store.database(database).sequence, 8, "the staged sequence")
    commit()
    var deleted = header("Other", sequence: 1, databaseSequence: 9)
    deleted.deletion = .deleted
    store.stage(ZoneTransition(header: deleted, clearsZone: true), in: other)
    commit()
    expect(try store.database(database).sequence, 9, "the sequence after a zone was deleted")
    try self.reopen(reopen)
    expect(try store.database(database).sequence, 9, "the sequence after reopening")
  }

  mutating func checkSubscriptions(_ reopen: (consuming Store) throws -> Store) throws {
    let zone = Subscription(
      subscriptionID: "b", kind: .zone(ZoneID(zoneName: "Notes", owner: .user("_user"))), notificationInfo: .silent)
    var full = NotificationInfo(alertBody: "é", shouldBadge: true)
    full.alertLocalizationKey = "key"
    full.alertLocalizationArgs = ["a", "b"]
    full.alertActionLocalizationKey = "action"
    full.alertLaunchImage = "image"
    full.soundName = "sound"
    full.category = "category"
    let loud = Subscription(subscriptionID: "B", kind: .database, notificationInfo: full, firesOnce: true)
    let mute = Subscription(subscriptionID: "a", kind: .database, notificationInfo: nil)
    store.stage(DatabaseTransition(savedSubscriptions: [zone, mute, loud]), in: database)
    store.stage(DatabaseTransition(savedRegistrations: ["t", "T", "s"].map { registration($0) }), in: database)
    expect(try store.database(database).subscriptions, [loud, mute, zone], "staged subscriptions")
    commit()
    try self.reopen(reopen)
    expect(try store.database(database).subscriptions, [loud, mute, zone], "subscriptions after reopening")
    expect(try store.database(database).registrations, ["T", "s", "t"].map { registration($0) }, "registrations")
    var changed = zone
    changed.notificationInfo = nil
    let moved = PushRegistration(token: "t", environment: .production, deviceID: nil)
    store.stage(
      DatabaseTransition(
        savedSubscriptions: [changed], removedSubscriptions: [Subscription.Key("a"), Subscription.Key("none")],
        savedRegistrations: [moved],
        removedRegistrations: ["T"]),
      in: database)
    commit()
    try self.reopen(reopen)
    expect(try store.database(database).subscriptions, [loud, changed], "subscriptions after a change")
    expect(try store.database(database).registrations, [registration("s"), moved], "registrations after a change")
  }

  /// Two accounts may have subscriptions of one ID in a public database.
  mutating func checkQuerySubscriptions(_ reopen: (consuming Store) throws -> Store) throws {
    var info = NotificationInfo(alertBody: "new")
    info.alertLocalizationArgs = ["title"]
    (info.title, info.subtitleLocalizationKey, info.additionalFields) = ("é", "key", ["title", "count"])
    let filter = CloudQuery.Filter(.equals, .field("title"), .string("it's \"x\""), isTyped: false)
    let query = QuerySubscription(
      CloudQuery("Note", where: [filter]), in: ZoneID(zoneName: "Notes"), firesOn: [.delete, .create])
    var ann = Subscription(subscriptionID: "s", kind: .query(query), notificationInfo: info, firesOnce: true)
    ann.user = "ann"
    var mum = ann
    (mum.user, mum.notificationInfo) = ("mum", .silent)
    mum.kind = .query(QuerySubscription(CloudQuery("Note"), in: nil, firesOn: [.update]))
    store.stage(DatabaseTransition(savedSubscriptions: [mum, ann]), in: database)
    expect(try store.database(database).subscriptions, [ann, mum], "staged query subscriptions")
    commit()
    try self.reopen(reopen)
    expect(try store.database(database).subscriptions, [ann, mum], "query subscriptions after reopening")
    store.stage(DatabaseTransition(removedSubscriptions: [ann.key]), in: database)
    commit()
    try self.reopen(reopen)
    expect(try store.database(database).subscriptions, [mum], "query subscriptions after a removal")
  }

  mutating func checkIdentity(_ reopen: (consuming Store) throws -> Store) throws {
    store.stage(DatabaseTransition(identity: .max - 1), in: database)
    expect(try store.database(database).identity, .max - 1, "the staged identity")
    commit()
    stage([record("a", 1)], in: notes)
    commit()
    try self.reopen(reopen)
    expect(try store.database(database), DatabaseState(identity: .max - 1, sequence: 1), "the database after reopening")
    store.stage(DatabaseTransition(identity: 3), in: database)
    commit()
    try self.reopen(reopen)
    expect(try store.database(database).identity, 3, "an identity in the place of another")
  }

  mutating func checkFailedZone(_ fail: (inout Store, CommitFailure.Place) throws -> Void) throws {
    let other = ZoneKey(database: database, zoneName: "Other")
    stage([record("a", 1, targets: ["x"])], in: notes)
    commit()
    try fail(&store, .zone(notes))
    stage([record("a", 2, targets: ["y"]), record("b", 3)], in: notes, databaseSequence: 2)
    stage([record("a", 1)], in: other, databaseSequence: 3)
    expect(store.commit().map(\.place), [.zone(notes)], "places that failed")
    try expectRecords([record("a", 1, targets: ["x"])], in: notes, "a zone whose commit failed")
    expect(try store.references(to: "y", in: notes), [], "references of a failed commit")
    expect(try store.record("b", in: notes), nil, "a record of a failed commit")
    expect(try store.zone(notes)?.sequence, 1, "its header's sequence")
    try expectRecords([record("a", 1)], in: other, "the zone beside it")
    stage([record("b", 2)], in: notes, databaseSequence: 4)
    commit()
    try expectRecords([record("a", 1, targets: ["x"]), record("b", 2)], in: notes, "the commit after a failed one")
  }

  mutating func checkFailedPredecessor(_ fail: (inout Store, CommitFailure.Place) throws -> Void) throws {
    // Both orders of names, so that the store cannot keep the order by chance.
    for (index, first) in ["A", "Z"].map({ ZoneKey(database: database, zoneName: $0) }).enumerated() {
      let sequence = Int64(index) * 10
      var change = ZoneTransition(
        header: header("Notes", sequence: sequence + 1, databaseSequence: sequence + 2),
        records: [record("a", sequence + 1)])
      change.after = first
      stage([record("b", 1)], in: first, databaseSequence: sequence + 1)
      commit()
      try fail(&store, .zone(first))
      stage([record("b", 2)], in: first, databaseSequence: sequence + 1)
      store.stage(change, in: notes)
      let failures = store.commit()
      expect(failures.map(\.place), [.zone(first), .zone(notes)], "the failures, the first zone's first")
      expect(failures.first?.cause, failures.last?.cause, "their causes")
      expect(try store.record("a", in: notes), nil, "a record after one that failed")
      stage([record("b", 2)], in: first, databaseSequence: sequence + 1)
      store.stage(change, in: notes)
      commit()
      expect(try store.record("a", in: notes)?.sequence, sequence + 1, "a record after one that did not fail")
      store.stage(
        ZoneTransition(
          header: header("Notes", sequence: sequence + 1, databaseSequence: sequence + 3), clearsZone: true), in: notes)
      commit()
    }
  }

  mutating func checkRefusedCommit() throws {
    store.stage(DatabaseTransition(identity: 5, savedRegistrations: [registration("t")]), in: database)
    stage([record("a", 1)], in: notes)
    commit()
    let error = StoreError(.full, "no space left", place: "elsewhere")
    store.stage(DatabaseTransition(savedRegistrations: [registration("u")]), in: database)
    stage([record("a", 2), record("b", 3)], in: notes, databaseSequence: 2)
    store.refuseStaged(because: error)
    let refused: [CommitFailure.Place] = [.database(database), .zone(notes)]
    let failures = store.commit()
    expect(Set(failures.map(\.place)), Set(refused), "places that were refused")
    expect(Set(failures.map(\.cause)), [.store(error)], "the causes")
    try expectRecords([record("a", 1)], in: notes, "a zone whose commit was refused")
    expect(try store.database(database).registrations.map(\.token), ["t"], "its database")
    store.stage(DatabaseTransition(savedRegistrations: [registration("u")]), in: database)
    stage([record("b", 2)], in: notes, databaseSequence: 2)
    commit()
    try expectRecords([record("a", 1), record("b", 2)], in: notes, "the commit after a refused one")
    expect(try store.database(database).registrations.map(\.token), ["t", "u"], "the database after it")
  }

  mutating func checkFailedDatabase(_ fail: (inout Store, CommitFailure.Place) throws -> Void) throws {
    store.stage(DatabaseTransition(identity: 5, savedRegistrations: [registration("t")]), in: database)
    commit()
    try fail(&store, .database(database))
    store.stage(DatabaseTransition(savedRegistrations: [registration("u")]), in: database)
    stage([record("a", 1)], in: notes)
    expect(store.commit().map(\.place), [.database(database)], "places that failed")
    expect(
      try store.database(database), DatabaseState(identity: 5, sequence: 1, registrations: [registration("t")]),
      "a database whose commit failed")
    try expectRecords([record("a", 1)], in: notes, "a zone of it")
    store.stage(DatabaseTransition(savedRegistrations: [registration("u")]), in: database)
    commit()
    expect(try store.database(database).registrations.map(\.token), ["t", "u"], "the commit after a failed one")
  }

  private func registration(_ token: String) -> PushRegistration {
    PushRegistration(token: token, environment: .development, deviceID: "d")
  }
}
