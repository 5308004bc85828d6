import ZoneKitNannyAndMe
import ZoneKitRecords
import ZoneKitSync
import Testing

private func contents(seed: UInt64, count: Int) -> [RecordContent] {
  var generator = SplitMix64(seed: seed)
  var contents = (0..<count).map { _ in RecordContent(BabyAction.random(1, using: &generator)) }
  contents.append(RecordContent(fields: EncodedFields(canonical: Array("broken".utf8))))
  contents.append(RecordContent(fields: .empty))
  contents.append(contents[0])
  return contents
}

private func ranks(seed: UInt64, count: Int) -> [ActionConflictResolver.Rank] {
  contents(seed: seed, count: count).map(ActionConflictResolver.rank)
}

private func wins(_ first: ActionConflictResolver.Rank, _ second: ActionConflictResolver.Rank) -> Bool {
  ActionConflictResolver.decide(first, second).firstWins
}

private func winner(_ first: RecordContent, _ second: RecordContent) -> RecordContent {
  ActionConflictResolver.winner(first, second, recordType: BabyAction.recordType)
}

private func rule(_ first: BabyAction, _ second: BabyAction) -> (Bool, ActionConflictResolver.Rule) {
  ActionConflictResolver.decide(
    ActionConflictResolver.rank(of: RecordContent(first)), ActionConflictResolver.rank(of: RecordContent(second)))
}

struct ActionConflictResolverTests {
  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func `one of two versions wins, whichever comes first, and only equal ones tie`(seed: UInt64) {
    let all = ranks(seed: seed, count: 40)
    for first in all {
      for second in all {
        let isTie = wins(first, second) && wins(second, first)
        #expect(isTie == (first == second))
        #expect(wins(first, second) || wins(second, first))
      }
    }
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `beating goes on from one to the next`(seed: UInt64) {
    let all = ranks(seed: seed, count: 24)
    for first in all {
      for second in all where wins(first, second) {
        for third in all where wins(second, third) {
          #expect(wins(first, third))
        }
      }
    }
  }

  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func `the winner does not depend on order or grouping, and beats itself`(seed: UInt64) {
    let all = contents(seed: seed, count: 5)
    for first in all {
      #expect(winner(winner(first, first), first) == winner(first, first))
      for second in all {
        #expect(winner(first, second) == winner(second, first))
        for third in all {
          #expect(winner(winner(first, second), third) == winner(first, winner(second, third)))
        }
      }
    }
  }

  @Test func `the newer stamp wins by a millisecond`() {
    var newer = BabyAction.sleep(from: 0)
    newer.updatedAt = newer.updatedAt.advanced(byMilliseconds: 1)
    #expect(rule(newer, .sleep(from: 0, to: 90)) == (true, .updatedAt))
  }

  @Test func `on equal stamps the later end wins`() {
    #expect(rule(.sleep(from: 0, to: 30), .sleep(from: 0, to: 31)) == (false, .endDate))
  }

  @Test func `on equal stamps a running action loses, whichever side it is on`() {
    #expect(rule(.sleep(from: 0), .sleep(from: 0, to: 0)) == (false, .endDate))
    #expect(rule(.sleep(from: 0, to: 0), .sleep(from: 0)) == (true, .endDate))
  }

  @Test func `two running actions with equal stamps are ordered by their bytes`() {
    #expect(rule(.sleep(from: 1), .sleep(from: 0)) == (true, .content))
  }

  @Test func `two spellings of one text are two versions, and one of them wins`() {
    var composed = BabyAction.sleep(from: 0)
    composed.placename = "é"
    var decomposed = composed
    decomposed.placename = "e\u{301}"
    #expect(composed.placename == decomposed.placename)
    #expect(rule(composed, decomposed) == (true, .content))
    #expect(rule(decomposed, composed) == (false, .content))
  }

  @Test func `equal versions are equal`() {
    #expect(rule(.sleep(from: 0), .sleep(from: 0)) == (true, .equal))
  }

  @Test func `fields that cannot be read lose to any version`() {
    let broken = RecordContent(fields: EncodedFields(canonical: Array("{".utf8)))
    #expect(winner(broken, RecordContent(.sleep(from: 0))) == RecordContent(.sleep(from: 0)))
  }
}
