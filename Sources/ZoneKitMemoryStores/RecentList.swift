/// A list that grows at its end and is cut at its start. The cost of both does not depend on its length.
struct RecentList<Element: Sendable>: Sendable {
  private var all: [Element] = []
  private var start = 0

  /// The elements, oldest first.
  var elements: ArraySlice<Element> { all[start...] }

  var count: Int { all.count - start }

  mutating func append(_ element: Element) { all.append(element) }

  /// Removes the oldest elements beyond the limit, and returns them.
  mutating func keepNewest(_ limit: Int) -> ArraySlice<Element> {
    guard count > limit else { return [] }
    let cut = all[start..<(all.count - max(0, limit))]
    start = cut.endIndex
    // Freed rarely, so that elements are not moved at each cut.
    if start > 64, start > all.count / 2 {
      all.removeFirst(start)
      start = 0
    }
    return cut
  }

  mutating func removeAll(where isGone: (Element) -> Bool) {
    all = elements.filter { !isGone($0) }
    start = 0
  }
}
