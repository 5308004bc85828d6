import ZoneKitRecords
import Testing

@testable import ZoneKitStorage

@Suite struct `the checkpoint queue` {
  private let queue = CheckpointQueue()
  private let limits = CheckpointLimits()

  @Test func `gives a WAL to the thread at a thousand uncopied pages`() {
    #expect(queue.committed("a", pages: limits.duePages) == nil)
    #expect(queue.next() == .checkpoint("a"))
    queue.copied("a", CheckpointResult(pages: 1000, copied: 1000))
    _ = queue.committed("a", pages: 1999)
    _ = queue.committed("b", pages: 1000)
    #expect(queue.next() == .checkpoint("b"))
  }

  @Test func `counts anew in a WAL that began anew`() {
    _ = queue.committed("a", pages: 3000)
    #expect(queue.next() == .checkpoint("a"))
    queue.copied("a", CheckpointResult(pages: 3000, copied: 3000))
    _ = queue.committed("b", pages: 1000)
    _ = queue.committed("a", pages: 1500)
    #expect(queue.next() == .checkpoint("a"))
  }

  @Test func `gives the longest WAL first, and closing before all`() {
    _ = queue.committed("a", pages: 1000)
    _ = queue.committed("b", pages: 3000)
    queue.release("c")
    #expect(queue.next() == .close("c"))
    #expect(queue.next() == .checkpoint("b"))
  }

  @Test func `gives a short WAL once commits have been quiet for a second`() {
    _ = queue.committed("a", pages: 3)
    #expect(queue.next() == .checkpoint("a"))
  }

  @Test func `asks the writer to finish a long WAL only when the thread is done with it`() {
    let long = limits.finishPages
    _ = queue.committed("a", pages: long - 1)
    #expect(queue.next() == .checkpoint("a"))
    #expect(queue.committed("a", pages: long) == nil)
    queue.copied("a", CheckpointResult(pages: long - 1, copied: long - 1))
    #expect(queue.committed("a", pages: long + 1) == .finish)
    queue.copied("a", CheckpointResult(pages: long + 1, copied: long))
    #expect(queue.committed("a", pages: long + 2) == nil, "a reader may hold the rest: not at every commit")
  }

  @Test func `asks the writer to empty a WAL that is too long, and keeps the thread off it meanwhile`() {
    let limit = limits.limitPages
    #expect(queue.committed("a", pages: limit - 1) == nil)
    #expect(queue.committed("a", pages: limit) == .empty)
    _ = queue.committed("b", pages: 1000)
    #expect(queue.next() == .checkpoint("b"))
    queue.copied("a", CheckpointResult(pages: 0, copied: 0))
    _ = queue.committed("a", pages: 2000)
    #expect(queue.next() == .checkpoint("a"))
  }

  @Test func `asks the writer to empty a WAL at the limit, however short ago it finished it`() {
    _ = queue.committed("a", pages: limits.limitPages - 2)
    #expect(queue.next() == .checkpoint("a"))
    queue.copied("a", CheckpointResult(pages: limits.limitPages - 2, copied: limits.limitPages - 2))
    #expect(queue.committed("a", pages: limits.limitPages - 1) == .finish)
    queue.copied("a", CheckpointResult(pages: limits.limitPages - 1, copied: limits.limitPages - 2))
    #expect(queue.committed("a", pages: limits.limitPages) == .empty)
  }

  @Test(arguments: [1, 1000])
  func `asks the writer to empty each WAL at the limit, also after a failure with another`(first: Int) {
    for _ in 1...5 {
      #expect(queue.committed("a", pages: first) == nil)
      #expect(queue.committed("a", pages: limits.limitPages) == .empty)
      queue.copied("a", CheckpointResult(pages: 0, copied: 0))
    }
    #expect(queue.committed("a", pages: limits.limitPages) == .empty, "a commit may reach the limit alone")
  }

  @Test func `leaves the writer alone for a while where a reader kept a WAL from being emptied`() {
    let limit = limits.limitPages
    #expect(queue.committed("a", pages: limit) == .empty)
    queue.copied("a", CheckpointResult(pages: limit, copied: limit - 1))
    #expect(queue.committed("a", pages: limit + limits.duePages - 1) == nil)
    #expect(queue.committed("a", pages: limit + limits.duePages) == .empty)
  }

  @Test func `lets the writer of a WAL that is too long wait until the thread is done with it`() throws {
    let limit = limits.limitPages
    _ = queue.committed("a", pages: limit - 1)
    #expect(queue.next() == .checkpoint("a"))
    let failure = StoreError(.full, "no space", place: "a")
    let other = try OtherThread { [queue] in queue.failed("a", failure) }
    #expect(queue.committed("a", pages: limit) == .empty)
    #expect(queue.takeFailures() == [failure], "the thread was done before")
    other.join()
  }

  @Test func `tries again after a failure when there is as much to copy again`() {
    _ = queue.committed("a", pages: 1000)
    #expect(queue.next() == .checkpoint("a"))
    queue.failed("a", StoreError(.full, "no space", place: "a"))
    _ = queue.committed("b", pages: 1000)
    _ = queue.committed("a", pages: 1999)
    #expect(queue.next() == .checkpoint("b"))
    _ = queue.committed("a", pages: 2000)
    #expect(queue.next() == .checkpoint("a"))
  }

  @Test func `stops before anything else`() {
    _ = queue.committed("a", pages: 5000)
    queue.stop()
    #expect(queue.next() == .stop)
  }

  @Test func `hands out failures once`() {
    let error = StoreError(.full, "no space", place: "a")
    queue.failed("a", error)
    #expect(queue.takeFailures() == [error])
    #expect(queue.takeFailures() == [])
  }
}

@Suite struct `the checkpoint thread` {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func `copies a WAL into its file`() throws {
    let path = folder + "f"
    let writer = try ZoneFile(path, of: nil, access: .create, durability: .off, checkpointPages: 0)
    try writer.write(CloudSamples.change(of: "f", names: ["a"], sequence: 1, fieldBytes: 5_000_000))
    try writer.commit()
    let queue = CheckpointQueue()
    var worker = CheckpointWorker(queue: queue)
    #expect(queue.committed(path, pages: writer.connection.walPages) == nil)
    #expect(Folder.size(of: path) < 100_000)
    let goesOn = worker.perform(queue.next())
    #expect(goesOn)
    #expect(Folder.size(of: path) > 5_000_000)
    #expect(queue.takeFailures() == [])
  }

  @Test func `reports a file that does not exist any more`() throws {
    let queue = CheckpointQueue()
    var worker = CheckpointWorker(queue: queue)
    _ = queue.committed(folder + "gone", pages: 1000)
    let goesOn = worker.perform(queue.next())
    #expect(goesOn)
    #expect(queue.takeFailures().map(\.place) == [folder + "gone"])
  }

  @Test func `and the writer keep a WAL short under constant writing, whichever is faster`() throws {
    let limits = CheckpointLimits(duePages: 100, finishPages: 1200, limitPages: 1600)
    let checkpointer = try Checkpointer(limits: limits)
    let store = CloudFiles(
      root: folder + "cloud", access: .existing, durability: .off, openZoneLimit: 1, checkpointer: checkpointer)
    let wal = folder + "cloud/\(CloudSamples.zonesFolder)/f.zone-wal"
    var longest: Int64 = 0
    var mostPages = 0
    var pages = 0
    for sequence in 1...300 as ClosedRange<Int64> {
      store.stage(
        CloudSamples.change(of: "f", names: [Name("r\(sequence % 50)")], sequence: sequence, fieldBytes: 80_000),
        in: CloudSamples.zone("f"))
      #expect(store.commit() == [])
      longest = max(longest, Folder.size(of: wal))
      let length = try #require(try store.file(of: CloudSamples.zone("f"))).connection.walPages
      mostPages = max(mostPages, length > pages ? length - pages : length)
      pages = length
    }
    // The commit that reaches the limit comes on top; a page of WAL takes 4,120 bytes (SQLite: fileformat2.html, 4.1).
    #expect(mostPages < 50)
    #expect(longest <= 32 + Int64(limits.limitPages - 1 + mostPages) * 4120, "300 commits make more than 6,000 pages")
    #expect(store.takeCheckpointFailures() == [])
    store.close()
    #expect(!Folder.exists(wal))
  }
}
