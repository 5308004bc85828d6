/// A cache of open files by key. When it is full, the least recently used file goes first.
struct OpenFiles<Key: Hashable, File> {
  private struct Entry {
    let file: File
    var lastUse: Int
  }

  private let limit: Int
  private var entries: [Key: Entry] = [:]
  private var uses = 0

  /// An empty cache for at most `limit` files.
  init(limit: Int) { self.limit = limit }

  /// The number of open files.
  var count: Int { entries.count }

  /// The open file of that key; nil if it is not open.
  mutating func file(_ key: Key) -> File? {
    guard let index = entries.index(forKey: key) else { return nil }
    uses += 1
    entries.values[index].lastUse = uses
    return entries.values[index].file
  }

  /// Adds a file that was just opened.
  mutating func insert(_ file: File, for key: Key) {
    uses += 1
    entries[key] = Entry(file: file, lastUse: uses)
  }

  /// Removes a file.
  mutating func remove(_ key: Key) { entries[key] = nil }

  /// Removes the least recently used files, except those in use, until `room` more fit. Returns the removed files.
  mutating func trim(room: Int = 0, isInUse: (File) -> Bool) -> [File] {
    var gone: [File] = []
    while entries.count + room > limit {
      let idle = entries.filter { !isInUse($0.value.file) }
      guard let oldest = idle.min(by: { $0.value.lastUse < $1.value.lastUse }) else { break }
      entries[oldest.key] = nil
      gone.append(oldest.value.file)
    }
    return gone
  }

  /// Whether `room` more files do not fit, although some are open.
  func isFull(room: Int) -> Bool { !entries.isEmpty && entries.count + room > limit }

  /// The file that was not used for the longest time.
  var leastRecentlyUsed: Key? { entries.min { $0.value.lastUse < $1.value.lastUse }?.key }

  /// Removes all files.
  mutating func removeAll() { entries.removeAll() }
}
