import ZoneKitRecords
import Testing

struct NameTests {
  @Test func `two spellings of one letter are two names`() {
    let composed: Name = "\u{E9}"
    let decomposed: Name = "e\u{301}"
    #expect("\u{E9}" == "e\u{301}", "Swift calls them equal, which is why names do not compare as strings")
    #expect(composed != decomposed)
    #expect(Set([composed, decomposed]).count == 2)
    #expect(decomposed < composed)
  }

  @Test func `a user record name is an underscore and 32 digits, and always the same`() {
    let name = UserRecordName.of(user: "nanny")
    #expect(name.text.utf8.count == 33)
    #expect(name == UserRecordName.of(user: "nanny"))
    #expect(name != UserRecordName.of(user: "Nanny"))
    // The offset basis of FNV-1a: the hash of no bytes at all.
    #expect(UserRecordName.of(user: "") == "_6c62272e07bb014262b821756295c58d")
  }

  @Test func `a random UUID has the version and variant of RFC 9562`() {
    var generator = SplitMix64(seed: 3)
    for _ in 0..<500 {
      let uuid = Array(RandomIdentifier.uuid(using: &generator))
      #expect(uuid.count == 36)
      #expect(uuid[14] == "4")
      #expect("89AB".contains(uuid[19]))
    }
  }
}
