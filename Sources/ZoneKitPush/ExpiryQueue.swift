import ZoneKitRecords

/// When stored notifications expire, or bursts end, soonest first. All wait equally long, so the order of storing is the
/// order of expiring; an entry whose notification has left its slot stays until somebody drops it.
struct ExpiryQueue {
  struct Entry {
    var endpoint: Int
    var serial: UInt64
    var due: MonotonicTime
  }

  private var all: [Entry] = []
  private var start = 0

  var first: Entry? { start < all.count ? all[start] : nil }

  var count: Int { all.count - start }

  var entries: ArraySlice<Entry> { all[start...] }

  mutating func append(_ entry: Entry) { all.append(entry) }

  mutating func removeFirst() {
    start += 1
    guard start > 64, start > all.count / 2 else { return }
    all.removeFirst(start)
    start = 0
  }
}
