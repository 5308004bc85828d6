import Glibc
import ZoneKitRecords
import Testing
import ZoneKitCloud

@testable import ZoneKitStorage

@Suite struct `a shortened WAL index` {
  @Test func `costs at most the transaction that it hits, and not the process`() async {
    await #expect(processExitsWith: .success) {
      WALIndexGuard.install()
      let folder = try TemporaryFolder()
      let root = folder + "cloud"
      let index = "\(root)/\(CloudSamples.zonesFolder)/one.zone-shm"
      let store = try CloudFiles(root: root)
      func commit(_ name: Name, _ sequence: Int64, shortening: Bool = false) -> [CommitFailure] {
        store.stage(
          CloudSamples.change(of: "one", names: [name], sequence: sequence), in: CloudSamples.zone("one"))
        if shortening { truncate(index, 0) }
        return store.commit()
      }
      #expect(commit("a", 1) == [])
      truncate(index, 0)
      #expect(commit("b", 2) == [], "a transaction that begins later sees everything")
      #expect(WALIndexGuard.repairs > 0)
      let hit = commit("c", 3, shortening: true)
      if !hit.isEmpty { #expect(commit("c", 3) == []) }
      #expect(commit("d", 4, shortening: true).count <= 1)
      let names = try CloudSamples.names(in: "one", of: store)
      #expect(names.starts(with: ["a", "b", "c"]))
      if names.count == 3 { #expect(commit("d", 4) == []) }
      store.close()
      let kept = try CloudSamples.names(in: "one", of: CloudFiles(root: root))
      #expect(kept == ["a", "b", "c", "d"])
    }
  }
}
