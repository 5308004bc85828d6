import ZoneKitRecords
import Testing
import ZoneKitCloud

@testable import ZoneKitStorage

@Suite struct `a cloud opened for reading only` {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var root: String { folder + "cloud" }
  private var zones: String { "\(root)/\(CloudSamples.zonesFolder)" }

  private func commit(_ name: Name, _ sequence: Int64, to store: CloudFiles) {
    store.stage(CloudSamples.change(of: "z", names: [name], sequence: sequence), in: CloudSamples.zone("z"))
    #expect(store.commit() == [])
  }

  /// Reads all there is and makes sure that no file came, went or changed its size.
  private func observe(_ root: String, sees names: [Name]) throws {
    let before = try TemporaryFolder.census(root)
    let observer = CloudFiles.readOnly(root: root)
    #expect(try observer.databases() == [CloudSamples.database])
    #expect(try observer.zones(in: CloudSamples.database).map(\.zoneName) == ["z"])
    #expect(try observer.zone(CloudSamples.zone("z"))?.sequence == Int64(names.count))
    #expect(try observer.record(names[0], in: CloudSamples.zone("z"))?.recordName == names[0])
    #expect(try CloudSamples.names(in: "z", of: observer) == names)
    #expect(try observer.zone(CloudSamples.zone("none")) == nil)
    #expect(try TemporaryFolder.census(root) == before)
  }

  @Test func `sees what a running owner committed, and not what is staged`() throws {
    let store = try CloudFiles(root: root, checkpointsOnThread: false)
    commit("a", 1, to: store)
    try observe(root, sees: ["a"])
    store.stage(CloudSamples.change(of: "z", names: ["b"], sequence: 2), in: CloudSamples.zone("z"))
    try observe(root, sees: ["a"])
    #expect(store.commit() == [])
    try observe(root, sees: ["a", "b"])
    #expect(try #require(try store.file(of: CloudSamples.zone("z"))).connection.checkpointWholly().pages == 0)
    try observe(root, sees: ["a", "b"])
    commit("c", 3, to: store)
    try observe(root, sees: ["a", "b", "c"])
  }

  @Test func `sees what an owner left that ended well`() throws {
    let store = try CloudFiles(root: root)
    commit("a", 1, to: store)
    store.close()
    try observe(root, sees: ["a"])
  }

  @Test(arguments: [false, true])
  func `sees what a killed owner left`(withIndex: Bool) throws {
    let store = try CloudFiles(root: root, checkpointsOnThread: false)
    commit("a", 1, to: store)
    commit("b", 2, to: store)
    let crashed = folder + "crashed"
    try TemporaryFolder.copyAsCrashed(root, to: crashed)
    if withIndex {
      try Folder.copyFile(zones + "/z.zone-shm", to: "\(crashed)/\(CloudSamples.zonesFolder)/z.zone-shm")
    }
    try observe(crashed, sees: ["a", "b"])
  }

  /// SQLite writes a WAL's header of 32 bytes before the first page, which takes 4,120 bytes.
  @Test(arguments: [0, 31, 32, 33, 4151], [false, true])
  func `sees what an owner left that was killed before a WAL's first page was whole`(
    length: Int, withIndex: Bool
  ) throws {
    let store = try CloudFiles(root: root, checkpointsOnThread: false)
    commit("a", 1, to: store)
    let wal = try #require(try Folder.read(zones + "/z.zone-wal"))
    store.close()
    try Folder.write(Array(wal.prefix(length)), to: zones + "/z.zone-wal")
    if withIndex { try Folder.write(Array(repeating: 0, count: 32768), to: zones + "/z.zone-shm") }
    try observe(root, sees: ["a"])
    try Backup.copyFolder(root, to: folder + "copy")
    try observe(folder + "copy", sees: ["a"])
  }

  @Test(arguments: HalfMadeFile.allCases)
  func `sees no zone in a file that its owner was killed over while making it`(half: HalfMadeFile) throws {
    let store = try CloudFiles(root: root)
    commit("a", 1, to: store)
    store.close()
    try half.make(at: zones + "/half.zone")
    try observe(root, sees: ["a"])
    try Backup.copyFolder(root, to: folder + "copy")
    try observe(folder + "copy", sees: ["a"])
    let next = try CloudFiles(root: root)
    #expect(try next.zones(in: CloudSamples.database).map(\.zoneName) == ["z"])
    next.stage(CloudSamples.change(of: "half", names: ["b"], sequence: 1), in: CloudSamples.zone("half"))
    #expect(next.commit() == [])
    #expect(try CloudSamples.names(in: "half", of: next) == ["b"])
  }

  @Test(arguments: HalfMadeFile.allCases)
  func `sees the zones of a database whose own file is half made`(half: HalfMadeFile) throws {
    let store = try CloudFiles(root: root)
    commit("a", 1, to: store)
    store.close()
    try half.make(at: "\(root)/\(CloudSamples.databaseFile)")
    try observe(root, sees: ["a"])
    #expect(try CloudFiles.readOnly(root: root).database(CloudSamples.database).identity == nil)
    #expect(try CloudFiles(root: root).zones(in: CloudSamples.database).map(\.zoneName) == ["z"])
  }

  @Test func `keeps a running owner from changing pages beneath it, be the WAL empty`() throws {
    let store = try CloudFiles(root: root, checkpointsOnThread: false)
    commit("a", 1, to: store)
    let owner = try #require(try store.file(of: CloudSamples.zone("z"))).connection
    _ = try owner.checkpointWholly()
    #expect(Folder.size(of: zones + "/z.zone-wal") == 0)
    let reader = try ZoneFile(zones + "/z.zone", of: nil, access: .observe, durability: .full, checkpointPages: 0)
    try Statement("SELECT seq FROM records", on: reader.connection).visit { _ throws(StoreError) in
      commit("b", 2, to: store)
      let copied = try owner.checkpoint().copied
      #expect(copied == 0)
      return true
    }
    let result = try owner.checkpoint()
    #expect(result.copied == result.pages && result.pages > 0)
  }

  @Test func `reads one state of a zone while the owner goes on`() throws {
    let store = try CloudFiles(root: root)
    commit("a", 1, to: store)
    let reader = try ZoneFile(zones + "/z.zone", of: nil, access: .observe, durability: .full, checkpointPages: 0)
    var seen: [Int64] = []
    try Statement("SELECT seq FROM records UNION ALL SELECT count(*) FROM records", on: reader.connection)
      .visit { row in
        seen.append(row.integer(0))
        commit(Name("n\(seen.count)"), Int64(1 + seen.count), to: store)
        return true
      }
    #expect(seen == [1, 1])
    #expect(try CloudSamples.names(in: "z", of: store) == ["a", "n1", "n2"])
  }

  @Test func `refuses changes`() throws {
    let store = try CloudFiles(root: root)
    commit("a", 1, to: store)
    let observer = CloudFiles.readOnly(root: root)
    observer.stage(CloudSamples.change(of: "z", names: ["b"], sequence: 2), in: CloudSamples.zone("z"))
    observer.stage(DatabaseTransition(identity: 1), in: CloudSamples.database)
    let failures = observer.commit()
    #expect(failures.map(\.place) == [.database(CloudSamples.database), .zone(CloudSamples.zone("z"))])
    #expect(failures.map(\.error?.kind) == [.readOnly, .readOnly])
    #expect(try CloudSamples.names(in: "z", of: observer) == ["a"])
  }
}
