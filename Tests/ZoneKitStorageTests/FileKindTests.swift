import Glibc
import Testing
import ZoneKitCloud
import ZoneKitRecords

@testable import ZoneKitStorage

/// Things at the path of a file that are no ordinary file. Whoever opens a pipe without care waits without an end.
@Suite struct `what is no ordinary file` {
  private let folder: TemporaryFolder
  private var path: String { folder + "a.sqlite" }

  init() throws { folder = try TemporaryFolder() }

  private func make(_ kind: FileKind) throws {
    switch kind {
    case .file: try Folder.write([1, 2, 3], to: path)
    case .folder: try Folder.make(path)
    case .link:
      try Folder.write([1, 2, 3], to: folder + "target")
      #expect(symlink(folder + "target", path) == 0)
    case .pipe: #expect(mkfifo(path, 0o600) == 0)
    case .socket, .device: Issue.record("no test makes one")
    }
  }

  private static let kinds: [FileKind] = [.folder, .link, .pipe]

  @Test(arguments: kinds)
  func `is not opened, read, copied or locked, and is named`(kind: FileKind) throws {
    try make(kind)
    let refused = StoreError(.corrupt, "this is no ordinary file but \(kind.rawValue)", place: path)
    #expect(Folder.kind(of: path) == kind && Folder.exists(path) && !Folder.isEmpty(path))
    #expect(throws: refused) { try Folder.read(path) }
    #expect(throws: refused) { try Folder.copyFile(path, to: folder + "copy") }
    for access in [Access.create, .existing, .observe] {
      #expect(throws: refused) { try ConnectionSource(path: path, access: access) }
    }
    try Folder.make(folder + "locked")
    try Folder.rename(path, to: folder + "locked/\(DirectoryLock.fileName)")
    let place = folder + "locked/\(DirectoryLock.fileName)"
    let locked = StoreError(.corrupt, refused.message, place: place)
    #expect(throws: locked) { try DirectoryLock(folder + "locked") }
    #expect(throws: locked) { try DirectoryLock.owner(of: folder + "locked") }
  }

  @Test(arguments: kinds, ["-wal", "-shm", "-journal"])
  func `beside a database keeps it closed`(kind: FileKind, ending: String) throws {
    try make(kind)
    try Folder.rename(path, to: folder + "z.zone\(ending)")
    let database = folder + "z.zone"
    for access in [Access.existing, .observe] {
      let error = #expect(throws: StoreError.self) { try ConnectionSource(path: database, access: access) }
      #expect(error?.place == database + ending)
    }
  }

  @Test(arguments: [FileKind.link, .pipe])
  func `is replaced by a written file and by an uploaded one`(kind: FileKind) throws {
    try make(kind)
    try Folder.write([4], to: path)
    #expect(try Folder.read(path) == [4])
    let assets = AssetFiles(root: folder + "cloud")
    let database = CloudSamples.database
    try assets.write([5, 6], hash: "aabb", in: database)
    let place = assets.path("aabb", in: database)
    try Folder.remove(place)
    if kind == .pipe { mkfifo(place, 0o600) } else { symlink(path, place) }
    try assets.write([5, 6], hash: "aabb", in: database)
    #expect(try assets.read("aabb", size: 2, in: database) == [5, 6] && Folder.kind(of: place) == .file)
    #expect(try Folder.read(path) == [4], "what a link leads to stays")
  }

  @Test(arguments: [[], [5], [5, 7], [5, 6, 7]] as [[UInt8]])
  func `is not taken for an upload, and neither are other bytes`(damaged: [UInt8]) throws {
    let assets = AssetFiles(root: folder + "cloud")
    let place = assets.path("aabb", in: CloudSamples.database)
    try assets.write([5, 6], hash: "aabb", in: CloudSamples.database)
    try Folder.write(damaged, to: place)
    if damaged.count != 2 {
      let error = #expect(throws: StoreError.self) {
        try assets.read("aabb", size: 2, in: CloudSamples.database)
      }
      #expect(error == StoreError(.corrupt, "the file has \(damaged.count) bytes instead of 2", place: place))
    }
    try assets.write([5, 6], hash: "aabb", in: CloudSamples.database)
    #expect(try Folder.read(place) == [5, 6])
  }

  @Test(arguments: [FileKind.link, .pipe])
  func `is not left out of a backup without a word`(kind: FileKind) throws {
    try make(kind)
    try Folder.make(folder + "from")
    try Folder.rename(path, to: folder + "from/asset")
    let error = #expect(throws: StoreError.self) { try Backup.copyFolder(folder + "from", to: folder + "to") }
    #expect(error?.place == folder + "from/asset" && !Folder.exists(folder + "to"))
  }

  @Test func `is read where a user names it`() throws {
    try make(.link)
    #expect(try Folder.readNamed(path) == [1, 2, 3])
    #expect(try Folder.readNamed(folder + "none") == nil)
  }
}
