/// A list that grows at its end and is cut at its start, at a cost that does not depend on its length.
struct RecentList<Element: Sendable>: Sendable {
  private var all: [Element] = []
  private var start = 0

  /// What is in the list, oldest first.
  var elements: ArraySlice<Element> { all[start...] }

  var count: Int { all.count - start }

  mutating func append(_ element: Element) { all.append(element) }

  /// Takes the oldest out where there are more than that many; returns those.
  mutating func keepNewest(_ limit: Int) -> ArraySlice<Element> {
    guard count > limit else { return [] }
    let cut = all[start..<(all.count - max(0, limit))]
    start = cut.endIndex
    // The front is given up rarely, so that each element is moved once in a while and not at each cut.
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
