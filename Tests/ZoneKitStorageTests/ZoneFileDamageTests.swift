import ZoneKitRecords
import Testing
import ZoneKitCloud

@testable import ZoneKitStorage

@Suite struct `damage to the file of a zone` {
  private let folder: TemporaryFolder
  private let key = CloudSamples.zone("one")

  init() throws { folder = try TemporaryFolder() }

  private var root: String { folder + "cloud" }
  private var damage: ZoneFileDamage { ZoneFileDamage(of: "one", in: CloudSamples.database, root: root) }

  /// Commits a record for each name.
  private func commit(_ names: [Name], to store: CloudFiles, after start: Int64 = 0) {
    for (sequence, name) in zip((start + 1)..., names) {
      store.stage(
        CloudSamples.change(of: "one", names: [name], sequence: sequence, databaseSequence: sequence), in: key)
      #expect(store.commit() == [])
    }
  }

  /// Leaves the zone's files as they are when the process is killed.
  private func kill(_ store: CloudFiles) throws {
    let path = root + "/" + CloudSamples.zonesFolder + "/one.zone"
    let left = try ["", "-wal"].map { (path + $0, try Folder.read(path + $0) ?? []) }
    store.close()
    for (path, content) in left { try Folder.write(content, to: path) }
  }

  @Test func `tears whole commits off, after which the zone starts a new incarnation`() throws {
    let store = try CloudFiles(root: root)
    commit(["a", "b", "c"], to: store)
    try kill(store)
    try damage.tearOff(commits: 2)
    let torn = try CloudFiles(root: root)
    #expect(try CloudSamples.names(in: "one", of: torn) == ["a"])
    let header = try #require(try torn.zone(key))
    #expect(header.incarnation != 7 && header.isAfterLoss && header.sequence == 3)
    #expect(throws: StoreError.self) { try damage.tearOff(commits: 20) }
  }

  @Test func `makes one record unreadable, also while the cloud runs`() throws {
    let store = try CloudFiles(root: root)
    commit(["a", "b"], to: store)
    try damage.damage("a")
    #expect(throws: StoreError.self) { try store.record("a", in: key) }
    #expect(try store.record("b", in: key) != nil)
    #expect(throws: StoreError.self) { try damage.damage("c") }
  }

  @Test(arguments: [false, true])
  func `puts an earlier copy in the place of the file`(isInUse: Bool) throws {
    var store = try CloudFiles(root: root)
    #expect(throws: StoreError.self) { try damage.restore(isInUse: false) }
    commit(["a"], to: store)
    try damage.backUp()
    commit(["b"], to: store, after: 1)
    if !isInUse { store.close() }
    try damage.restore(isInUse: isInUse)
    if !isInUse { store = try CloudFiles(root: root) }
    #expect(try CloudSamples.names(in: "one", of: store) == ["a"])
    #expect(try store.zone(key)?.isAfterLoss == true)
  }
}
