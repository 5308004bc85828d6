/// The committed changes that no channel was told yet, in the order of their commits. One write can change thousands of
/// rows, so they are told in parts, between which other clients are served.
package struct ChangeBacklog {
  private var lists: [AccountChanges] = []
  /// The index of the first list that was not told completely, and of its first change that was not told.
  private var first = 0
  private var told = 0
  /// The number of changes.
  package private(set) var count = 0

  /// No changes.
  package init() {}

  /// Adds committed changes.
  package mutating func append(_ changes: AccountChanges) {
    guard !changes.changes.isEmpty else { return }
    lists.append(changes)
    count += changes.changes.count
  }

  /// Removes and returns the next changes of one account, at most `limit`; nil if there are none.
  package mutating func next(_ limit: Int) -> AccountChanges? {
    guard first < lists.count else { return nil }
    let list = lists[first]
    let part = AccountChanges(account: list.account, changes: Array(list.changes[told...].prefix(limit)))
    count -= part.changes.count
    told += part.changes.count
    if told == list.changes.count {
      lists[first].changes = []
      (first, told) = (first + 1, 0)
      // The list does not grow while it never becomes empty.
      if first == lists.count || first >= 64 && first * 2 >= lists.count {
        lists.removeFirst(first)
        first = 0
      }
    }
    return part
  }
}
