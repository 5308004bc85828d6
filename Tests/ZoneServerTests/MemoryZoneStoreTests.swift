import Records
import Simulator
import StoreConformance
import Testing
import ZoneServer

@Suite struct `the store in memory` {
  @Test(arguments: ZoneStoreConformance.allCases)
  func `does what every store must`(check: ZoneStoreConformance) throws {
    let violations = try check.violations(
      make: { MemoryZoneStore() },
      reopen: { store in
        var crashed = store
        crashed.crash()
        return crashed
      },
      failNextCommit: { store, place in
        store.failNextCommit(of: place, with: StoreError(.full, "no space left", place: "memory"))
      })
    #expect(violations == [])
  }
}
