import Testing
import ZoneKitRecords
import ZoneKitMemoryStores
import ZoneKitStoreConformance

@Suite struct `the accounts in memory` {
  @Test(arguments: AccountStoreConformance.allCases)
  func `do what every store must`(check: AccountStoreConformance) throws {
    let violations = try check.violations(
      make: { MemoryAccountStore() },
      reopen: { store in
        var crashed = store
        crashed.crash()
        return crashed
      },
      failNextCommit: { $0.failNextCommit(with: StoreError(.full, "no space left", place: "memory")) })
    #expect(violations == [])
  }
}
