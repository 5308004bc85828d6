import ZoneKitRecords
import Testing

struct RecordPageTests {
  @Test func `a page gives back the changes it was made of`() {
    let author = Author(userRecordName: "_u", deviceID: "A")
    let other = Author(userRecordName: "_u", deviceID: "B")
    let changes: [RecordChange] = [
      .saved(
        Record(
          recordName: "n-1", recordType: "Note", fields: EncodedFields(Fields([Field(name: "a", value: .string("é"))])),
          changeTag: ChangeTag("1a"), created: Authorship(at: WallTime(milliseconds: 1), author: author),
          modified: Authorship(at: WallTime(milliseconds: 2), author: other), parent: "p")),
      .deleted(recordName: "n-2", changeTag: ChangeTag("1b")),
      .saved(
        Record(
          recordName: "n-3", recordType: "Note", fields: .empty, changeTag: ChangeTag("1c"),
          created: Authorship(at: WallTime(milliseconds: 3), author: author),
          modified: Authorship(at: WallTime(milliseconds: 3), author: author))),
    ]
    #expect(RecordPage(changes).changes == changes)
    #expect(RecordPage(changes).authors.count == 3, "an author is kept once, and a tombstone has none")
    #expect(RecordPage().count == 0)
  }
}
