import Glibc
import ZoneKitRecords
import Testing
import ZoneKitCloud

@testable import ZoneKitStorage

@Suite(.enabled(if: CloudSamples.mayMount, "mounting needs root")) struct `a disk` {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var root: String { folder + "cloud" }
  private let key = CloudSamples.zone("z")

  @Test func `that is full fails the commit, keeps what was there, and goes on when there is space`() throws {
    #expect(folder.mount(options: "size=1m"))
    let store = try CloudFiles(root: root, checkpointsOnThread: false)
    try Folder.write([UInt8](repeating: 1, count: 300_000), to: folder + "ballast")
    var sequence: Int64 = 0
    var failures: [CommitFailure] = []
    while failures.isEmpty, sequence < 100 {
      sequence += 1
      let name = Name("r\(sequence)")
      store.stage(CloudSamples.change(of: "z", names: [name], sequence: sequence, fieldBytes: 50_000), in: key)
      failures = store.commit()
    }
    let kept = (1..<sequence).map { Name("r\($0)") }
    #expect(failures.map(\.place) == [.zone(key)])
    #expect(failures.map(\.error?.kind) == [.full])
    #expect(failures.first?.error?.place.hasSuffix("/z.zone") == true)
    #expect(!kept.isEmpty)
    #expect(try CloudSamples.names(in: "z", of: store) == kept)
    #expect(try store.zone(key)?.sequence == sequence - 1)
    try Folder.remove(folder + "ballast")
    store.stage(CloudSamples.change(of: "z", names: ["after"], sequence: sequence, fieldBytes: 50_000), in: key)
    #expect(store.commit() == [])
    store.close()
    #expect(try CloudSamples.names(in: "z", of: CloudFiles(root: root)) == kept + ["after"])
  }

  @Test func `that is full from the start makes no zone`() throws {
    #expect(folder.mount(options: "size=8k"))
    let store = try CloudFiles(root: root)
    store.stage(CloudSamples.change(of: "z", names: ["a"], sequence: 1), in: key)
    #expect(store.commit().map(\.error?.kind) == [.full])
    #expect(try store.zone(key) == nil)
    #expect(try store.zones(in: key.database) == [])
    #expect(try CloudSamples.names(in: "z", of: store) == [])
  }

  @Test func `that cannot be written fails the commit and can be read`() throws {
    #expect(folder.mount(options: "size=1m"))
    do {
      let store = try CloudFiles(root: root)
      store.stage(CloudSamples.change(of: "z", names: ["a"], sequence: 1), in: key)
      #expect(store.commit() == [])
    }
    #expect(Glibc.mount("tmpfs", folder.path, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), nil) == 0)
    let observer = CloudFiles.readOnly(root: root)
    #expect(try CloudSamples.names(in: "z", of: observer) == ["a"])
    let store = try CloudFiles(root: root)
    store.stage(CloudSamples.change(of: "y", names: ["a"], sequence: 1), in: CloudSamples.zone("y"))
    let failures = store.commit()
    #expect(failures.map(\.error?.kind) == [.readOnly])
    let message = "opening for writing: Read-only file system (errno 30)"
    #expect(failures.first?.error?.message == message)
    #expect(failures.first?.error?.place.hasPrefix(root) == true)
  }
}
