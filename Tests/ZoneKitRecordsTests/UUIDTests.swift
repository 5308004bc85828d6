import Testing
import ZoneKitRecords

struct UUIDTests {
  private static let text = "0f3c9a71-22bd-4c0e-8a55-d0e1f2a3b4c5"

  @Test(arguments: [
    "0f3c9a71-22bd-4c0e-8a55-d0e1f2a3b4c5", "0F3C9A71-22BD-4C0E-8A55-D0E1F2A3B4C5", "0f3c9a7122bd4c0e8a55d0e1f2a3b4c5",
    "{0f3c9a71-22bd-4c0e-8a55-d0e1f2a3b4c5}", "0f3c-9a71-22bd-4c0e-8a55-d0e1-f2a3-b4c5",
    "{0F3C9A7122bd4c0e8a55d0e1f2a3b4c5}",
  ])
  func `every spelling that PostgreSQL reads is the same UUID`(_ spelling: String) throws {
    let uuid = try #require(UUID(spelling))
    #expect(uuid.text == Self.text)
  }

  @Test(arguments: [
    "", "0f3c9a71-22bd-4c0e-8a55-d0e1f2a3b4c", "0f3c9a71-22bd-4c0e-8a55-d0e1f2a3b4c55",
    "0f3c9a71-22bd-4c0e-8a55-d0e1f2a3b4cg",
    "0f3c9a71--22bd-4c0e-8a55-d0e1f2a3b4c5", "-0f3c9a71-22bd-4c0e-8a55-d0e1f2a3b4c5",
    "0f3c9a71-22bd-4c0e-8a55-d0e1f2a3b4c5-",
    "0f3-c9a71-22bd-4c0e-8a55-d0e1f2a3b4c5", "{0f3c9a71-22bd-4c0e-8a55-d0e1f2a3b4c5",
    "0f3c9a71-22bd-4c0e-8a55-d0e1f2a3b4c5}",
    " 0f3c9a71-22bd-4c0e-8a55-d0e1f2a3b4c5", "{}", "{",
  ])
  func `other texts are no UUID`(_ text: String) { #expect(UUID(text) == nil) }

  @Test func `the order of UUIDs is the order of their canonical texts`() {
    var generator = SplitMix64(seed: 11)
    let uuids = (0..<200).map { _ in UUID(using: &generator) }
    #expect(uuids.sorted().map(\.text) == uuids.map(\.text).sorted())
  }

  @Test func `a UUID made of given bits has the version and the variant`() {
    #expect(UUID(high: 0, low: 0, version: 8).text == "00000000-0000-8000-8000-000000000000")
    #expect(UUID(high: .max, low: .max, version: 8).text == "ffffffff-ffff-8fff-bfff-ffffffffffff")
  }
}
