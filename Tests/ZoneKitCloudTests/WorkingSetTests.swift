import ZoneKitRecords
import Testing
import ZoneKitCloud

@Suite struct `a working set` {
  private let database = DatabaseID(container: "c", environment: .development, user: "u", scope: .private)
  private var notes: ZoneKey { ZoneKey(database: database, zoneName: "Notes") }
  private let failed = StoreError(.failed, "no answer", place: "far away")

  private func header(_ sequence: Int64 = 0) -> ZoneHeader {
    ZoneHeader(
      zoneName: "Notes", incarnation: 7, sequence: sequence, databaseSequence: 1, at: WallTime(milliseconds: 0))
  }

  @Test func `throws what it lacks`() throws {
    let set = WorkingSet()
    let query = FeedQuery(position: 0, isReversed: false, limit: 1, recordTypes: nil)
    let content = set.content(of: notes)
    #expect(throws: EvaluationFailure.absent([.database(database)])) { try set.database(database) }
    #expect(throws: EvaluationFailure.absent([.zones(of: database)])) { try set.zones(of: database) }
    #expect(throws: EvaluationFailure.absent([.zone(notes)])) { try content.knownHeader() }
    #expect(throws: EvaluationFailure.absent([.records(["a"], in: notes)])) { try content.record("a") }
    #expect(throws: EvaluationFailure.absent([.references(to: ["a"], in: notes)])) { try content.references(to: "a") }
    #expect(throws: EvaluationFailure.absent([.schema(of: ["T"], in: notes)])) { try content.schema(of: "T") }
    #expect(throws: EvaluationFailure.absent([.feed(query, in: notes)])) { try content.feed(query) }
  }

  @Test func `answers what was put in, nothing included, and names only the rest as missing`() throws {
    var set = WorkingSet()
    set.put(.success(DatabaseState(sequence: 3)), of: database)
    set.fill(notes) { content in
      content.put(header(2))
      content.put(nil, named: "a")
    }
    #expect(try set.database(database).sequence == 3)
    #expect(try set.content(of: notes).knownHeader() == header(2))
    #expect(try set.content(of: notes).record("a") == nil)
    let needs: [Need] = [.database(database), .zone(notes), .records(["a", "b"], in: notes), .zones(of: database)]
    #expect(set.missing(of: needs) == [.records(["b"], in: notes), .zones(of: database)])
  }

  @Test func `reports why a place could not be read, and keeps what it knew of it`() throws {
    var set = WorkingSet()
    set.put(.failure(failed), of: database)
    set.fill(notes) { content in content.put(header(2)) }
    set.fill(notes) { (_) throws(StoreError) in throw failed }
    #expect(throws: EvaluationFailure.unreadable(failed)) { try set.database(database) }
    #expect(try set.content(of: notes).knownHeader() == header(2))
    #expect(throws: EvaluationFailure.unreadable(failed)) { try set.content(of: notes).record("a") }
    // The same request does not read again without need.
    #expect(set.missing(of: [.database(database), .records(["a"], in: notes)]) == [])
  }
}
