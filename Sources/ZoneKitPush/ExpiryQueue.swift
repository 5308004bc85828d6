import ZoneKitRecords

/// The times at which stored notifications expire or bursts end, soonest first. All have the same lifetime, so they
/// expire in the order in which they were added. The entry of a notification that has left its slot remains until it is
/// dropped.
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
