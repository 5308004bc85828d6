import Glibc
import ZoneKitRecords
import ZoneKitStorage
import Testing

@Suite struct `a directory lock` {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func `refuses a second owner and names the first`() throws {
    let lock = try DirectoryLock(folder + "d")
    let error = #expect(throws: StoreError.self) { try DirectoryLock(folder + "d") }
    #expect(error?.kind == .busy)
    #expect(error?.message == "\(folder + "d") is in use by process \(getpid())")
    #expect(error?.place == lock.path)
  }

  @Test func `shows other processes the owner of the folder and its details`() throws {
    let lock = try DirectoryLock(folder.path, details: [("http", "127.0.0.1:7440")])
    #expect(try DirectoryLock.owner(of: folder.path) == "{\"pid\":\(getpid()),\"http\":\"127.0.0.1:7440\"}\n")
    try lock.note([("push", "unix:/a\"b\\\n")])
    #expect(try DirectoryLock.owner(of: folder.path) == "{\"pid\":\(getpid()),\"push\":\"unix:/a\\\"b\\\\\\u000a\"}\n")
  }

  @Test func `goes with its owner`() throws {
    #expect(try DirectoryLock.owner(of: folder.path) == nil)
    _ = try DirectoryLock(folder.path)
    #expect(try DirectoryLock.owner(of: folder.path) == nil)
    #expect(try Folder.read(folder + DirectoryLock.fileName) == [])
    _ = try DirectoryLock(folder.path)
  }

  @Test func `that a killed process left behind is taken over`() throws {
    try Folder.write(Array("{\"pid\":1}\n".utf8), to: folder + DirectoryLock.fileName)
    #expect(try DirectoryLock.owner(of: folder.path) == nil)
    let lock = try DirectoryLock(folder.path)
    #expect(try Folder.read(lock.path) == Array("{\"pid\":\(getpid())}\n".utf8))
  }
}
