import Glibc
import ZoneKitRecords
import Testing

@testable import ZoneKitStorage

@Suite struct `a backup` {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func `of a cloud in use holds what was committed and nothing else`() throws {
    let store = try CloudFiles(root: folder + "cloud")
    store.stage(CloudSamples.change(of: "z", names: ["a", "b"], sequence: 2), in: CloudSamples.zone("z"))
    #expect(store.commit() == [])
    store.stage(CloudSamples.change(of: "z", names: ["c"], sequence: 3), in: CloudSamples.zone("z"))
    try Folder.write(Array("kept".utf8), to: folder + "cloud/asset")
    try Folder.write(Array("{}".utf8), to: folder + "cloud/\(DirectoryLock.fileName)")
    try Backup.copyFolder(folder + "cloud", to: folder + "copy")
    let files = try TemporaryFolder.census(folder + "copy").map { String($0.split(separator: " ")[0]) }
    let names = ["asset", CloudSamples.databaseFile, "\(CloudSamples.zonesFolder)/z.zone", "marks.sqlite"]
    #expect(files == names.map { folder + "copy/\($0)" })
    let copy = try CloudFiles(root: folder + "copy")
    #expect(try CloudSamples.names(in: "z", of: copy) == ["a", "b"])
    #expect(store.commit() == [])
    #expect(try CloudSamples.names(in: "z", of: store) == ["a", "b", "c"])
  }

  @Test func `of a folder of a running process leaves its socket out`() throws {
    try Folder.make(folder + "from")
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let path = folder + "from/control.sock"
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(socket) }
    let status = withUnsafeBytes(of: &address) {
      bind(socket, $0.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t($0.count))
    }
    #expect(status == 0)
    try Backup.copyFolder(folder + "from", to: folder + "to")
    #expect(try Folder.names(in: folder + "to") == [])
  }

  @Test func `does not go where something is`() throws {
    try Folder.make(folder + "from")
    try Folder.make(folder + "to")
    let error = #expect(throws: StoreError.self) { try Backup.copyFolder(folder + "from", to: folder + "to") }
    #expect(error?.place == folder + "to")
  }

  @Test func `copies the bytes of assets after the zones, whose records need them`() throws {
    for name in ["assets", "zones"] { try Folder.make(folder + "from/\(name)") }
    // Neither can be copied, so the error names the one that comes first.
    #expect(mkfifo(folder + "from/assets/pipe", 0o600) == 0)
    try Folder.write(Array(String(repeating: "x", count: 5000).utf8), to: folder + "from/zones/a.zone")
    let error = #expect(throws: StoreError.self) { try Backup.copyFolder(folder + "from", to: folder + "to") }
    #expect(error?.kind == .corrupt)
  }

  @Test func `of something that is no database fails and leaves nothing`() throws {
    try Folder.make(folder + "from")
    try Folder.write(Array(String(repeating: "x", count: 5000).utf8), to: folder + "from/a.zone")
    let error = #expect(throws: StoreError.self) { try Backup.copyFolder(folder + "from", to: folder + "to") }
    #expect(error?.kind == .corrupt)
    #expect(try Folder.names(in: folder.path) == ["from"])
  }
}
