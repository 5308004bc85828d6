import Glibc
import ZoneKitRecords

@testable import ZoneKitStorage

/// A disk with the files of one folder, on which a power cut loses what was not synced (fsync(2)): content of files, and
/// names in folders.
struct Disk {
  /// A name in the folder with that number.
  private struct Place: Hashable {
    let folder: Int
    let name: String
  }

  /// A change of names that survives as a whole or not at all.
  private struct NameChange {
    var places: [(place: Place, number: Int?)]
  }

  private static let rootNumber = 0

  private let root: String
  private var files: [Int: DiskFile] = [:]
  /// The folders are numbered downwards.
  private var lastFolder = Disk.rootNumber
  private var names: [Place: Int] = [:]
  private var syncedNames: [Place: Int] = [:]
  private var nameChanges: [NameChange] = []

  /// An empty disk for the folder at that path.
  init(root: String) { self.root = root }

  /// Whether a power cut would lose nothing.
  var isSynced: Bool { nameChanges.isEmpty && files.values.allSatisfy(\.isSynced) }

  /// Takes in what a program did.
  mutating func take(_ event: DiskEvent) {
    switch event {
    case .madeFile(let number, let path):
      files[number] = DiskFile()
      change([(place(of: path), number)])
    case .wrote(let number, let offset, let bytes): files[number]?.write(bytes, at: offset)
    case .resized(let number, let size): files[number]?.resize(to: size)
    case .synced(let number): files[number]?.sync()
    case .madeFolder(let path):
      lastFolder -= 1
      change([(place(of: path), lastFolder)])
    case .removed(let path): change([(place(of: path), nil)])
    case .renamed(let path, let target):
      let (source, target) = (place(of: path), place(of: target))
      change([(source, nil), (target, names[source])])
    case .syncedFolder(let path): sync(folder(at: path))
    case .acknowledged: break
    }
  }

  private mutating func change(_ places: [(place: Place, number: Int?)]) {
    for (place, number) in places { names[place] = number }
    nameChanges.append(NameChange(places: places))
  }

  /// Syncs the changes of names in a folder, and earlier ones that they follow.
  private mutating func sync(_ folder: Int) {
    var wanted: Set<Place> = []
    var rest: [NameChange] = []
    var kept: [NameChange] = []
    for change in nameChanges.reversed() {
      if change.places.contains(where: { $0.place.folder == folder || wanted.contains($0.place) }) {
        wanted.formUnion(change.places.map(\.place))
        kept.append(change)
      } else {
        rest.append(change)
      }
    }
    for change in kept.reversed() {
      for (place, number) in change.places { syncedNames[place] = number }
    }
    nameChanges = rest.reversed()
  }

  private func folder(at path: String) -> Int {
    guard path != root else { return Self.rootNumber }
    guard let number = names[place(of: path)] else { fatalError("no folder was made at \(path)") }
    return number
  }

  private func place(of path: String) -> Place {
    guard path.hasPrefix(root + "/"), let slash = path.lastIndex(of: "/") else { fatalError("\(path) is elsewhere") }
    return Place(folder: folder(at: String(path[..<slash])), name: String(path[path.index(after: slash)...]))
  }

  /// The files that are there after a power cut, with their paths within the root, and the folders that are there.
  func remains(_ survival: Survival) -> Remains {
    var entries = syncedNames
    var choice = SurvivalChoice(survival, number: Self.rootNumber)
    var lost: Set<Place> = []
    for change in nameChanges {
      let isLost = change.places.contains { lost.contains($0.place) }
      guard !isLost, case .kept = choice.next() else {
        lost.formUnion(change.places.map(\.place))
        continue
      }
      for (place, number) in change.places { entries[place] = number }
    }
    var remains = Remains()
    collect(Self.rootNumber, "", entries, survival, into: &remains)
    return remains
  }

  private func collect(
    _ folder: Int, _ path: String, _ entries: [Place: Int], _ survival: Survival, into remains: inout Remains
  ) {
    for (place, number) in entries.filter({ $0.key.folder == folder }).sorted(by: { $0.key.name < $1.key.name }) {
      let path = path + "/" + place.name
      if let file = files[number] {
        var choice = SurvivalChoice(survival, number: number)
        remains.files.append((path, file.content(all: &choice)))
      } else {
        remains.folders.append(path)
        collect(number, path, entries, survival, into: &remains)
      }
    }
  }
}

/// What is left of a folder after a power cut.
struct Remains {
  /// The folders, each behind its parent.
  var folders: [String] = []
  /// The files with their contents.
  var files: [(path: String, content: [UInt8])] = []

  /// A hash of everything.
  var fingerprint: Int {
    var hasher = Hasher()
    hasher.combine(folders)
    for (path, content) in files {
      hasher.combine(path)
      content.withUnsafeBytes { hasher.combine(bytes: $0) }
    }
    return hasher.finalize()
  }

  /// Writes the folders and files into an empty folder.
  func write(to root: String) throws {
    for folder in folders { try Folder.make(root + folder) }
    for (path, content) in files {
      let file = open(root + path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      guard file >= 0 else { throw StoreError(errno: errno, doing: "making", place: root + path) }
      defer { close(file) }
      try Folder.writeAll(content[...], to: file, place: root + path)
    }
  }
}
