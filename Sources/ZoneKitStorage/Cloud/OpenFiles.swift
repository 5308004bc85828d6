/// Open files by key, at most so many: the one that was not used for longest goes first.
struct OpenFiles<Key: Hashable, File> {
  private struct Entry {
    let file: File
    var lastUse: Int
  }

  private let limit: Int
  private var entries: [Key: Entry] = [:]
  private var uses = 0

  /// No open files, and room for that many.
  init(limit: Int) { self.limit = limit }

  /// How many files are open.
  var count: Int { entries.count }

  /// The open file of that key; nil where it is not open.
  mutating func file(_ key: Key) -> File? {
    guard let index = entries.index(forKey: key) else { return nil }
    uses += 1
    entries.values[index].lastUse = uses
    return entries.values[index].file
  }

  /// Takes in a file that was just opened.
  mutating func insert(_ file: File, for key: Key) {
    uses += 1
    entries[key] = Entry(file: file, lastUse: uses)
  }

  /// Lets one file go.
  mutating func remove(_ key: Key) { entries[key] = nil }

  /// Lets files go until the rest and `room` more fit, sparing those that are in use; returns those that went.
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

  /// Lets all files go.
  mutating func removeAll() { entries.removeAll() }
}
