import ZoneKitRecords

/// Actions in the order of the log: running ones first, then the newest start; of equal starts the smaller record ID.
///
/// They are kept in blocks, so that an action that comes or goes moves the actions of one block and not the whole log: a
/// first sync brings a long log page by page, from its far end.
package struct ActionOrder: Sendable {
  /// All actions, in order.
  package typealias Actions = FlattenSequence<[[BabyAction]]>

  /// The most actions of one block.
  static let blockLimit = 64

  /// In order, each with at least one action.
  private var blocks: [[BabyAction]] = []

  /// No actions.
  init() {}

  /// Those actions.
  init(_ actions: some Sequence<BabyAction>) {
    let sorted = actions.sorted(by: Self.precedes)
    blocks = stride(from: 0, to: sorted.count, by: Self.blockLimit).map { start in
      Array(sorted[start..<min(start + Self.blockLimit, sorted.count)])
    }
  }

  /// All actions, in order.
  package var actions: Actions { blocks.joined() }

  /// How many actions each block has.
  var blockSizes: [Int] { blocks.map(\.count) }

  /// Puts an action in that is not there.
  mutating func insert(_ action: BabyAction) {
    guard !blocks.isEmpty else { return blocks.append([action]) }
    let block = min(Self.count(of: blocks) { Self.precedes($0[$0.count - 1], action) }, blocks.count - 1)
    blocks[block].insert(action, at: Self.count(of: blocks[block]) { Self.precedes($0, action) })
    guard blocks[block].count > Self.blockLimit else { return }
    let half = blocks[block].count / 2
    blocks.insert(Array(blocks[block][half...]), at: block + 1)
    blocks[block].removeSubrange(half...)
  }

  /// Takes an action out that is there.
  mutating func remove(_ action: BabyAction) {
    let block = Self.count(of: blocks) { Self.precedes($0[$0.count - 1], action) }
    blocks[block].remove(at: Self.count(of: blocks[block]) { Self.precedes($0, action) })
    if blocks[block].isEmpty { blocks.remove(at: block) }
  }

  /// How many of the elements are before the place that is looked for, all of which are in front.
  private static func count<Element>(of elements: [Element], before isBefore: (Element) -> Bool) -> Int {
    var low = 0
    var high = elements.count
    while low < high {
      let middle = (low + high) / 2
      if isBefore(elements[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private static func precedes(_ first: BabyAction, _ second: BabyAction) -> Bool {
    if first.isRunning != second.isRunning { return first.isRunning }
    if first.startDate != second.startDate { return first.startDate > second.startDate }
    return first.id < second.id
  }
}

extension ActionOrder: Hashable {
  /// Whether both have the same actions; how they lie in blocks makes no difference.
  package static func == (first: ActionOrder, second: ActionOrder) -> Bool {
    first.actions.elementsEqual(second.actions)
  }

  package func hash(into hasher: inout Hasher) {
    for action in actions { hasher.combine(action) }
  }
}
