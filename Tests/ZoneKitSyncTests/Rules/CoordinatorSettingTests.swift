import Testing
import ZoneKitRecords

@testable import ZoneKitSync

@Suite struct CoordinatorSettingTests {
  @Test func `a quiet time that is longer than its limit makes the limit as long`() {
    var configuration = Sample.configuration
    CoordinatorSetting.quiet.set(9_000, in: &configuration)
    #expect((configuration.pacing.quiet, configuration.pacing.quietLimit) == (9_000, 9_000))
    CoordinatorSetting.quiet.set(1_000, in: &configuration)
    #expect((configuration.pacing.quiet, configuration.pacing.quietLimit) == (1_000, 9_000))
  }

  @Test func `a quiet time of edits is a pace of its own`() {
    var configuration = Sample.configuration
    CoordinatorSetting.localQuiet.set(50, in: &configuration)
    #expect(configuration.pacing.paces[.localChange] == Pace(quiet: 50, limit: configuration.pacing.quietLimit))
    configuration.pacing.paces[.localChange] = Pace(quiet: 5, limit: 30, firstAtOnce: true)
    CoordinatorSetting.localQuiet.set(50, in: &configuration)
    #expect(configuration.pacing.paces == [.localChange: Pace(quiet: 50, limit: 50, firstAtOnce: true)])
  }

  @Test func `a switch is on with 1 and off with 0`() {
    var configuration = Sample.configuration
    for isOn in [true, false] {
      CoordinatorSetting.atomic.set(isOn ? 1 : 0, in: &configuration)
      CoordinatorSetting.deletePolicy.set(isOn ? 1 : 0, in: &configuration)
      #expect(configuration.limits.isAtomic == isOn)
      #expect(configuration.merging.deleteRule == (isOn ? .policy : .deleteWins))
    }
  }

  @Test func `pages and batches have the cloud's limits`() {
    let limited = CoordinatorSetting.allCases.filter { $0.limit != nil }
    #expect(limited == [.pageLimit, .batchLimit])
    #expect(limited.map(\.limit) == [Int64(ZoneChangesQuery.pageLimit), Int64(ModifyRecords.operationLimit)])
  }
}
