import Glibc
import ZoneKitRecords
import Testing
import ZoneKitCloud

@testable import ZoneKitStorage

@Suite struct `reserved file descriptors` {
  @Test func `let a store open its files when no other descriptor is left`() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let store = try CloudFiles(root: folder + "cloud", openZoneLimit: 4, reservesDescriptors: true)
      var limit = rlimit()
      limit.rlim_cur = 64
      limit.rlim_max = 64
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      while open("/dev/null", O_RDONLY) >= 0 {}
      for round in 1...2 as ClosedRange<Int64> {
        for number in 0..<12 {
          let database = DatabaseID(
            container: "c", environment: .development, user: Name("u\(number)"), scope: .private)
          store.stage(
            CloudSamples.change(of: "z", names: [Name("r\(round)")], sequence: round),
            in: ZoneKey(database: database, zoneName: "z"))
        }
        #expect(store.commit() == [])
      }
    }
  }
}
