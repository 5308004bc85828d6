import Testing
import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSync

@Suite struct `laws of merging` {
  private static let id = RecordID(recordName: "r", zoneID: ZoneID(zoneName: "Z"))
  /// A policy that takes the version with the greater text.
  private static let greater = MergePolicy {
    Resolution(isLocalGreater($0) ? .keepLocal : .adoptServer, rule: "greater")
  }

  private static func isLocalGreater(_ conflict: Conflict) -> Bool {
    let (local, server) = (conflict.local?.fields.utf8 ?? [], conflict.server?.fields.utf8 ?? [])
    return server.lexicographicallyPrecedes(local)
  }

  private static func content(_ a: String, _ b: String) -> RecordContent {
    RecordContent(
      fields: EncodedFields(Fields([Field(name: "a", value: .string(a)), Field(name: "b", value: .string(b))])))
  }

  private static func content(_ a: String, stampedAt stamp: Int64) -> RecordContent {
    let time = WallTime(milliseconds: stamp)
    return RecordContent(
      fields: EncodedFields(Fields([Field(name: "a", value: .string(a)), Field(name: "t", value: .timestamp(time))])))
  }

  /// The rule of a policy's decision, with the laws for all fields but `c`.
  private static func rule(
    _ policy: MergePolicy, _ local: RecordContent, _ server: RecordContent, since ancestor: RecordContent?
  ) -> String {
    let conflict = Conflict(recordID: id, recordType: "T", local: local, server: server, ancestor: ancestor)
    return MergeLaws(of: policy, stamp: "t") { $0 != "c" && $0 != "t" }.policy.resolve(conflict).rule
  }

  /// A policy with that result for any conflict.
  private static func always(_ a: String, _ b: String) -> MergePolicy {
    MergePolicy { _ in Resolution(.merged(content(a, b)), rule: "always") }
  }

  @Test func `are kept by a decision that keeps the changes of both sides`() {
    #expect(
      Self.rule(Self.always("1", "1"), Self.content("1", "0"), Self.content("0", "1"), since: Self.content("0", "0"))
        == "always")
    #expect(
      Self.rule(Self.greater, Self.content("2", "0"), Self.content("1", "0"), since: Self.content("0", "0"))
        == "greater")
    #expect(Self.rule(Self.greater, Self.content("2", "0"), Self.content("1", "5"), since: nil) == "greater")
  }

  @Test func `are violated by sides that decide differently`() {
    let own = MergePolicy { _ in Resolution(.keepLocal, rule: "own") }
    #expect(Self.rule(own, Self.content("1", "0"), Self.content("2", "0"), since: nil) == "sidesDifferAboutResult")
  }

  @Test func `are violated by a result without the change of one side`() {
    #expect(
      Self.rule(Self.greater, Self.content("1", "0"), Self.content("0", "1"), since: Self.content("0", "0"))
        == "changeOfOneSideNotKept")
  }

  @Test func `are violated by a result with the loser's value of a field that both changed`() {
    let stray = MergePolicy { conflict in
      conflict.ancestor == nil
        ? Self.greater.resolve(conflict) : Resolution(.merged(Self.content("1", "0")), rule: "stray")
    }
    #expect(
      Self.rule(stray, Self.content("1", "0"), Self.content("2", "0"), since: Self.content("0", "0"))
        == "changeOfBothSidesNotTheWinners")
  }

  @Test(arguments: [(1, "stampNotTheLater"), (2, "merged"), (3, "stampNotTheLater")])
  func `are violated by a result with another stamp than the later one`(stamp: Int64, rule: String) {
    let policy = MergePolicy { _ in Resolution(.merged(Self.content("x", stampedAt: stamp)), rule: "merged") }
    let base = Self.content("0", stampedAt: 0)
    let (local, server) = (Self.content("x", stampedAt: 2), Self.content("x", stampedAt: 1))
    #expect(Self.rule(policy, local, server, since: base) == rule)
    #expect(Self.rule(policy, server, local, since: base) == rule)
  }

  @Test func `are violated by a mixture of versions that were made independently`() {
    #expect(
      Self.rule(Self.always("1", "2"), Self.content("1", "0"), Self.content("0", "2"), since: nil)
        == "mixedWithoutAncestor")
  }

  @Test func `name the record and the law in the sentence about a journal's entry`() {
    let entry = ConflictEntry(
      id: "e", recordID: Self.id, recordType: "T", at: WallTime(milliseconds: 0), winner: .local,
      rule: MergeLaws.Violation.mixedWithoutAncestor.rawValue, local: nil, server: nil, serverDeviceID: "",
      decidedBy: "")
    #expect(MergeLaws.violation(by: entry)?.hasSuffix("breaks a law of merging: mixedWithoutAncestor") == true)
    var other = entry
    other.rule = "updatedAt"
    #expect(MergeLaws.violation(by: other) == nil)
  }
}
