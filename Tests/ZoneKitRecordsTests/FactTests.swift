import Testing
import ZoneKitRecords

@Suite struct FactTests {
  private let time = WallTime(milliseconds: 1_000_123)

  @Test func aFactIsWrittenAsJSONWithItsEventTimePlaceKindAndDetails() {
    let fact = Fact(.recordSent, [JSON.Member("zone", "Log")], "n sent")
    #expect(
      fact.json(at: time, place: [JSON.Member("device", "A")])
        == ["event": "sent", "at": "1970-01-01T00:16:40.123Z", "device": "A", "fact": "recordSent", "zone": "Log"])
  }

  @Test func aFactIsWrittenAsALineWithTheTimeOfDay() {
    #expect(Fact(.drought, [], "no pushes").line(at: time) == "00:16:40.123 no pushes")
  }

  @Test func everyKindBelongsToOneSource() {
    let kinds = Fact.Kind.Source.allCases.flatMap { Fact.Kind.all(of: $0) }
    #expect(Set(kinds) == Set(Fact.Kind.allCases))
    #expect(kinds.count == Fact.Kind.allCases.count)
    #expect(Fact.Kind.all(of: .device).last == .reset)
    #expect(Fact.Kind.all(of: .cloud) == [.committed, .commitFailed, .documentsServed])
  }
}
