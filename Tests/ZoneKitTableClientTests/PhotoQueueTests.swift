import Testing
import ZoneKitRecords
import ZoneKitTables

@testable import ZoneKitTableClient

@Suite struct `the photos of a device on their way` {
  private var queue = PhotoQueue()
  private var sight = PhotoQueue.Sight()
  private var generator = SplitMix64(seed: 1)

  private static let account = UUID(high: 1, low: 1)
  private static let rule = TablePhotos(column: "photo_url", folders: ["persons": "persons"], sizeLimit: 100)

  private func time(_ milliseconds: Int64) -> MonotonicTime { MonotonicTime(milliseconds: milliseconds) }

  private func name(_ number: Int) throws -> PhotoName {
    try #require(PhotoName(hash: Hexadecimal.text([UInt8(number)] + Array(repeating: 0, count: 31))))
  }

  private func hash(_ number: Int) -> String {
    Hexadecimal.text([UInt8(number)] + Array(repeating: 0, count: 31))
  }

  private func record(_ number: UInt64) -> RecordID {
    RecordID(recordName: RowKey([UUID(high: 2, low: number)]).recordName(in: "persons"), zoneID: ZoneID(zoneName: "Z"))
  }

  private func photo(_ number: Int, since: Int64 = 0) throws -> QueuedPhoto {
    QueuedPhoto(
      name: try name(number), size: 10, mediaType: "image/jpeg", since: WallTime(milliseconds: since))
  }

  private func path(_ number: Int, of record: RecordID) throws -> String {
    try #require(Self.rule.path(of: try name(number), for: record, account: Self.account))
  }

  private mutating func see() { queue.seen(sight, account: Self.account, photos: Self.rule) }

  /// Starts the next transfer and returns it; nil if none may start.
  private mutating func begin(at now: Int64 = 0) -> PhotoTransfer? {
    guard let transfer = queue.next(at: time(now)) else { return nil }
    queue.began(transfer)
    return transfer
  }

  /// Reports the outcome of a transfer, or of the one that began first.
  private mutating func answer(
    _ outcome: ObjectOutcome, to transfer: PhotoTransfer? = nil, at now: Int64 = 0
  ) -> [PhotoQueue.Effect] {
    guard let transfer = transfer ?? queue.current.first else { return [] }
    return queue.answered(transfer, outcome, at: time(now), using: &generator)
  }

  /// Queues that many photos, which users gave in the order of their numbers.
  private mutating func queue(_ count: Int) throws {
    for number in 1...count { sight.queued[record(UInt64(number))] = try photo(number, since: Int64(number)) }
    see()
  }

  @Test mutating func `uploads a queued photo, and only then the row names it`() throws {
    sight.queued[record(1)] = try photo(1)
    see()
    let path = try path(1, of: record(1))
    #expect(begin() == .upload(record(1), try photo(1), path: path))
    #expect(begin() == nil, "a photo is not sent twice at a time")
    #expect(answer(.stored) == [.name(record(1), path: path), .fact(.uploaded(record(1), path: path))])
    #expect(begin() == nil && queue.uploads == 0)
  }

  @Test mutating func `forgets the upload of a photo that was replaced or removed meanwhile`() throws {
    sight.queued[record(1)] = try photo(1)
    see()
    let first = begin()
    sight.queued[record(1)] = try photo(2)
    see()
    let second = begin()
    #expect(second == .upload(record(1), try photo(2), path: try path(2, of: record(1))))
    #expect(answer(.stored, to: first) == [])
    sight.queued = [:]
    see()
    #expect(answer(.stored, to: second) == [])
    #expect(begin() == nil)
  }

  @Test mutating func `a few transfers are under way at a time, and the next one starts when one of them ends`() throws
  {
    try queue(PhotoQueue.transferLimit + 2)
    let began = (0...PhotoQueue.transferLimit).map { _ in begin()?.path }
    #expect(began == (1...PhotoQueue.transferLimit).map { try? path($0, of: record(UInt64($0))) } + [nil])
    _ = answer(.stored, to: queue.current[1])
    let next = PhotoQueue.transferLimit + 1
    #expect(begin()?.path == (try path(next, of: record(UInt64(next)))))
    #expect(begin() == nil && queue.uploads == PhotoQueue.transferLimit + 1)
  }

  @Test mutating func `an object that is on its way is not sent again, also if its photo was replaced meanwhile`()
    throws
  {
    try queue(1)
    _ = begin()
    sight.queued[record(1)] = try photo(1, since: 2)
    see()
    #expect(begin() == nil)
    #expect(answer(.stored) == [], "the photo was given anew")
    #expect(begin() == .upload(record(1), try photo(1, since: 2), path: try path(1, of: record(1))))
  }

  @Test mutating func `transfers that fail together make one pause, and one that began before ends no pause`() throws {
    try queue(4)
    while begin() != nil {}
    let (first, second, third) = (queue.current[0], queue.current[1], queue.current[2])
    guard case .fact(.failed(_, _, let pause))? = answer(.failed("cut"), to: first).first else {
      Issue.record("the failure is not reported")
      return
    }
    #expect((500...1_000).contains(pause))
    let other = PhotoFact.failed(path: second.path, reason: "cut", retryIn: pause - 10)
    #expect(answer(.failed("cut"), to: second, at: 10) == [.fact(other)])
    #expect(answer(.stored, to: third, at: 20).count == 2)
    #expect(queue.nextDeadline == time(pause))
    #expect(answer(.refused(ServiceRefusal(503, code: "", "busy", retryAfter: 7)), at: 30).count == 1)
    #expect(queue.nextDeadline == time(7_030), "the service asks for a longer pause")
    _ = begin(at: 7_030)
    guard case .fact(.failed(_, _, let next))? = answer(.failed("cut"), at: 7_030).first else {
      Issue.record("the failure is not reported")
      return
    }
    #expect((1_000...2_000).contains(next), "it is the second failure of the service")
  }

  @Test mutating func `sends photos in the order in which they were given`() throws {
    sight.queued = [
      record(1): try photo(1, since: 30), record(2): try photo(2, since: 10), record(3): try photo(3, since: 20),
    ]
    see()
    #expect(
      queue.wanted.map(\.path) == [try path(2, of: record(2)), try path(3, of: record(3)), try path(1, of: record(1))])
  }

  @Test mutating func `sets a refused photo aside with its reason, and goes on with the next one`() throws {
    sight.queued = [record(1): try photo(1, since: 1), record(2): try photo(2, since: 2)]
    see()
    _ = begin()
    var refused = try photo(1, since: 1)
    refused.refusal = "mime type x is not supported"
    let refusal = ServiceRefusal(415, code: "invalid_mime_type", "mime type x is not supported")
    #expect(
      answer(.refused(refusal)) == [
        .setAside(record(1), refused), .fact(.setAside(record(1), reason: "mime type x is not supported")),
      ])
    sight.queued[record(1)] = refused
    see()
    #expect(begin() == .upload(record(2), try photo(2, since: 2), path: try path(2, of: record(2))))
    _ = answer(.stored)
    #expect(begin() == nil)
  }

  @Test mutating func `sets a photo aside whose file is gone`() throws {
    sight.queued[record(1)] = try photo(1)
    see()
    _ = begin()
    #expect(answer(.unreadable("no file")).last == .fact(.setAside(record(1), reason: "no file")))
  }

  @Test(arguments: [408, 429, 500, 503])
  mutating func `waits longer with each failure, and tries the others before a photo that failed`(status: Int) throws {
    try queue(1)
    _ = begin()
    try queue(2)
    guard case .fact(.failed(_, "busy", let pause))? = answer(.refused(ServiceRefusal(status, code: "", "busy"))).first
    else {
      Issue.record("the failure is not reported")
      return
    }
    #expect((500...1_000).contains(pause))
    #expect(queue.nextDeadline == time(pause) && begin(at: pause - 1) == nil)
    #expect(begin(at: pause)?.path == (try path(2, of: record(2))))
    guard case .fact(.failed(_, "cut", let next))? = answer(.failed("cut"), at: pause).first else {
      Issue.record("the failure is not reported")
      return
    }
    #expect((1_000...2_000).contains(next))
  }

  @Test mutating func `waits as long as the service asks`() throws {
    sight.queued[record(1)] = try photo(1)
    see()
    _ = begin()
    _ = answer(.refused(ServiceRefusal(503, code: "", "busy", retryAfter: 7)))
    #expect(queue.nextDeadline == time(7_000))
  }

  @Test mutating func `a new link ends the wait, and a passed deadline is none any more`() throws {
    sight.queued[record(1)] = try photo(1)
    see()
    _ = begin()
    _ = answer(.failed("no link"))
    queue.linkRestored()
    #expect(begin() != nil)
    _ = answer(.failed("no link"))
    queue.tick(at: time(400_000))
    #expect(queue.nextDeadline == nil)
  }

  @Test mutating func `downloads what rows name and the device lacks, once for each photo`() throws {
    let path = try path(1, of: record(1))
    sight.named = [record(1): path, record(2): path, record(3): try self.path(2, of: record(3))]
    sight.stored = [try name(2)]
    see()
    #expect(begin() == .download(try name(1), path: path))
    #expect(answer(.received(hash: hash(1))) == [.keep(try name(1)), .fact(.downloaded(path: path))])
    #expect(begin() == nil)
  }

  @Test mutating func `throws bytes away whose hash is another one, and says so`() throws {
    let path = try path(1, of: record(1))
    sight.named[record(1)] = path
    see()
    _ = begin()
    let reason = "the bytes that came are not those of the photo"
    #expect(answer(.received(hash: hash(2))) == [.fact(.missing(path: path, reason: reason))])
    see()
    #expect(begin() == nil && queue.missing == [path: reason])
    queue.retried(nil)
    see()
    #expect(begin() != nil)
  }

  @Test(arguments: [
    "https://elsewhere.test/a.jpg", "", "x.jpg", "00000000-0000-0002-0000-000000000001/persons/a/b.jpg",
  ])
  mutating func `leaves addresses alone that are no photos of the account`(path: String) {
    sight.named[record(1)] = path
    see()
    #expect(begin() == nil)
  }

  @Test mutating func `a photo of another account is never asked for`() throws {
    let other = try #require(Self.rule.path(of: try name(1), for: record(1), account: UUID(high: 9, low: 9)))
    sight.named[record(1)] = other
    see()
    #expect(begin() == nil)
  }

  @Test mutating func `nothing goes while it is held, or without an account`() throws {
    sight.queued[record(1)] = try photo(1)
    queue.seen(sight, account: nil, photos: Self.rule)
    #expect(begin() == nil)
    see()
    queue.isHeld = true
    #expect(begin() == nil && queue.nextDeadline == nil)
    queue.isHeld = false
    #expect(begin() != nil)
  }

  @Test mutating func `a transfer that was given up starts again, and a late answer changes nothing`() throws {
    sight.queued[record(1)] = try photo(1)
    see()
    let first = begin()
    queue.abandonedAll()
    #expect(answer(.stored, to: first) == [])
    #expect(begin() == first)
  }
}
