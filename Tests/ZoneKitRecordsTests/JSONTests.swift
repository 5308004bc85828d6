import ZoneKitRecords
import Testing

@Suite struct JSONTests {
  let record: JSON = ["recordName": "n-1", "count": 3, "weight": 3.5, "deleted": false, "tags": ["a", "b"]]

  @Test func `a member is found by its name`() {
    #expect(record["count"] == 3)
    #expect(record["tags"]?.array == ["a", "b"])
    #expect(record["missing"] == nil)
    #expect(JSON.array([record])["count"] == nil)
  }

  @Test func `of a repeated name the last member counts`() {
    let value = JSON.object([.init("a", 1), .init("b", 2), .init("a", 3)])
    #expect(value["a"] == 3)
  }

  @Test func `an accessor answers only for its own kind`() {
    #expect(record["recordName"]?.string == "n-1")
    #expect(record["recordName"]?.integer == nil)
    #expect(record["deleted"]?.bool == false)
    #expect(record["count"]?.bool == nil)
    #expect(record["count"]?.integer == 3)
    #expect(record["weight"]?.integer == nil)
    #expect(record.object?.map(\.key) == ["recordName", "count", "weight", "deleted", "tags"])
    #expect(record.array == nil)
    #expect(JSON.null.isNull)
    #expect(!record.isNull)
  }

  @Test func `an integer can be taken as a number but a number is no integer`() {
    #expect(JSON.integer(2).number == 2)
    #expect(JSON.number(2).integer == nil)
    #expect(JSON.integer(2) != JSON.number(2))
  }

  @Test func `objects are equal only in the same order`() {
    #expect(["a": 1, "b": 2] as JSON == ["a": 1, "b": 2])
    #expect(["a": 1, "b": 2] as JSON != ["b": 2, "a": 1])
  }

  @Test(
    arguments: [
      (JSON.null, "null"), (true, "a boolean"), (1, "an integer"), (1.5, "a number"), ("", "a string"),
      ([], "an array"),
      ([:], "an object"),
    ] as [(JSON, String)])
  func `a kind has a name for messages`(value: JSON, name: String) {
    #expect(value.kind == name)
  }
}
