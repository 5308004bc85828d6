/// A file on a disk: what was synced, and the changes since then.
struct DiskFile {
  private enum Change {
    case wrote(offset: Int, bytes: [UInt8])
    case resized(Int)
  }

  /// A disk writes a sector as a whole or tears it; it writes sectors in any order.
  private static let sector = 512

  private var synced: [UInt8]
  private var changes: [Change] = []

  /// A file with that synced content.
  init(_ content: [UInt8] = []) { synced = content }

  /// Whether a power cut could lose something.
  var isSynced: Bool { changes.isEmpty }

  mutating func write(_ bytes: [UInt8], at offset: Int) { changes.append(.wrote(offset: offset, bytes: bytes)) }

  mutating func resize(to size: Int) { changes.append(.resized(size)) }

  mutating func sync() {
    var all = SurvivalChoice(.everything, number: 0)
    synced = content(all: &all)
    changes.removeAll()
  }

  /// The content after a power cut. Each sector and the length have one of the states that they had since the last
  /// sync. A sector may also be torn in its last change.
  func content(all choice: inout SurvivalChoice) -> [UInt8] {
    var draft = Draft(bytes: synced, size: synced.count)
    for change in changes {
      switch change {
      case .wrote(let offset, let bytes): draft.write(bytes, at: offset, &choice)
      case .resized(let size): draft.resize(to: size, &choice)
      }
    }
    return draft.content
  }

  private struct Draft {
    var bytes: [UInt8]
    var size: Int
    private var lostSectors: Set<Int> = []
    private var isSizeLost = false

    init(bytes: [UInt8], size: Int) {
      self.bytes = bytes
      self.size = size
    }

    var content: [UInt8] {
      bytes.count >= size ? Array(bytes[..<size]) : bytes + [UInt8](repeating: 0, count: size - bytes.count)
    }

    mutating func write(_ data: [UInt8], at offset: Int, _ choice: inout SurvivalChoice) {
      let end = offset + data.count
      if end > size { grow(to: end, &choice) }
      if bytes.count < end { bytes += [UInt8](repeating: 0, count: end - bytes.count) }
      var position = offset
      while position < end {
        let sector = position / DiskFile.sector
        let next = min(end, (sector + 1) * DiskFile.sector)
        if !lostSectors.contains(sector) {
          var kept = next - position
          switch choice.next() {
          case .kept: break
          case .lost:
            kept = 0
            lostSectors.insert(sector)
          case .torn:
            kept = choice.number(below: kept)
            lostSectors.insert(sector)
          }
          bytes.replaceSubrange(position..<position + kept, with: data[position - offset..<position - offset + kept])
        }
        position = next
      }
    }

    private mutating func grow(to end: Int, _ choice: inout SurvivalChoice) {
      guard !isSizeLost else { return }
      if case .kept = choice.next() { size = end } else { isSizeLost = true }
    }

    mutating func resize(to end: Int, _ choice: inout SurvivalChoice) {
      guard !isSizeLost else { return }
      guard case .kept = choice.next() else { return isSizeLost = true }
      size = end
      if bytes.count > end { bytes.removeLast(bytes.count - end) }
    }
  }
}
