import ZoneKitRecords

/// Which objects and folders are listed, and in which order.
package struct ObjectListing: Hashable, Sendable {
  /// The columns by which a list can be sorted.
  package enum Column: String, CaseIterable, Hashable, Sendable {
    case name
    case updatedAt = "updated_at"
    case createdAt = "created_at"
    case lastAccessedAt = "last_accessed_at"
  }

  /// An object or a folder of a list.
  package enum Entry: Hashable, Sendable {
    /// A folder of that name.
    case folder(String)
    /// An object of that name.
    case object(String, StoredObject)

    /// The name, without the folders before it.
    package var name: String {
      switch self {
      case .folder(let name), .object(let name, _): name
      }
    }
  }

  /// The most entries of a list.
  package static let limit = 1_000

  /// The folder; empty for the top.
  package var folder: String
  /// The most entries.
  package var limit: Int
  /// The number of entries to leave out at the beginning.
  package var offset: Int
  /// The column by which the list is sorted.
  package var column: Column
  /// Whether greater values come first.
  package var isDescending: Bool
  /// A part of the names that are listed; empty for all.
  package var search: String

  /// A list of that folder.
  package init(
    folder: String, limit: Int = 100, offset: Int = 0, column: Column = .name, isDescending: Bool = false,
    search: String = ""
  ) {
    self.folder = folder
    self.limit = limit
    self.offset = offset
    self.column = column
    self.isDescending = isDescending
    self.search = search
  }

  /// The entries of the list for those objects.
  package func entries(of objects: [StoredObject]) -> [Entry] {
    let start = folder.isEmpty ? "" : folder + "/"
    var folders: Set<Name> = []
    var entries: [Entry] = []
    for object in objects {
      guard let rest = object.path.after(start) else { continue }
      if let slash = rest.utf8.firstIndex(of: UInt8(ascii: "/")) {
        let name = String(rest[..<slash])
        if folders.insert(Name(name)).inserted { entries.append(.folder(name)) }
      } else {
        entries.append(.object(rest, object))
      }
    }
    if !search.isEmpty { entries.removeAll { !$0.name.utf8.contains(search.utf8) } }
    let sorted = entries.sorted { isDescending ? precedes($1, $0) : precedes($0, $1) }
    return Array(sorted.dropFirst(offset).prefix(min(limit, Self.limit)))
  }

  /// Folders have no time, and come before objects in an order by time.
  private func precedes(_ first: Entry, _ second: Entry) -> Bool {
    switch column {
    case .name: break
    case .updatedAt, .createdAt, .lastAccessedAt:
      let times = (time(of: first), time(of: second))
      if times.0 != times.1 { return times.0 < times.1 }
    }
    return Name(first.name) < Name(second.name)
  }

  private func time(of entry: Entry) -> WallTime {
    switch entry {
    case .folder: WallTime(milliseconds: .min)
    case .object(_, let object): column == .createdAt ? object.createdAt : object.updatedAt
    }
  }
}
