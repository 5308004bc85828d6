import Testing
import ZoneKitRecords

@testable import ZoneKitService

/// What the live page is sent of a view.
struct PageViewTests {
  private static func view(_ devices: JSON, faults: JSON = []) -> PageView {
    PageView([JSON.Member("devices", devices), JSON.Member("faults", faults)])
  }

  @Test func `only the members that changed are sent, and of the devices only those`() {
    let old = Self.view([["name": "A", "pending": 0], ["name": "B", "pending": 0]])
    #expect(old.changes(since: old) == nil)
    #expect(
      Self.view([["name": "A", "pending": 0], ["name": "B", "pending": 2]]).changes(since: old)
        == ["devices": [["name": "B", "pending": 2]]])
    #expect(
      Self.view([["name": "A", "pending": 0], ["name": "B", "pending": 0]], faults: ["drop"]).changes(since: old)
        == ["faults": ["drop"]])
  }

  @Test func `devices that came are sent, and those that went are named`() {
    let old = Self.view([["name": "A"], ["name": "B"]])
    #expect(
      Self.view([["name": "A"], ["name": "C"]]).changes(since: old) == ["devices": [["name": "C"]], "gone": ["B"]])
  }

  @Test func `a line of the page begins with a verb that a page may use, and names no data directory`() throws {
    func words(_ text: String) -> [String]? { try? PageVerb.words(in: Array(text.utf8)) }
    #expect(
      words(#"{"words":["fault","add","drop the next push to B"]}"#) == ["fault", "add", "drop the next push to B"])
    for text in [
      "", "[]", "{}", #"{"words":[]}"#, #"{"words":"fault clear"}"#, #"{"words":["fault",1]}"#,
      #"{"words":["serve"]}"#, #"{"words":["fault","clear","--data","/"]}"#,
    ] {
      #expect(words(text) == nil)
    }
  }
}
