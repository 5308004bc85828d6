import Testing
import ZoneKitRecords
import ZoneKitSync

@testable import ZoneKitSimulator

@Suite struct `the reference model` {
  private var model = ReferenceModel(stampField: "updatedAt")
  private let key = RecordKey(account: "nanny", id: RecordID(recordName: "r", zoneID: ZoneID(zoneName: "Z")))

  private static func content(_ text: String) -> RecordContent {
    var fields = Fields()
    fields["text"] = .string(text)
    return RecordContent(fields: EncodedFields(fields))
  }

  @Test mutating func `knows all versions of a record that was deleted after the cloud had it`() {
    model.edited(key, from: nil, to: Self.content("a"), by: 0)
    model.edited(key, from: Self.content("a"), to: nil, by: 0, isConfirmed: true)
    #expect(model.allVersions(of: key) == [Self.content("a")])
  }

  @Test mutating func `does not claim to know all versions after one was deleted unsent`() {
    model.edited(key, from: nil, to: Self.content("a"), by: 0)
    model.edited(key, from: nil, to: Self.content("b"), by: 1)
    model.edited(key, from: Self.content("a"), to: nil, by: 0, isConfirmed: false)
    #expect(model.allVersions(of: key) == nil)
  }

  @Test(arguments: [true, false])
  func `lets a value that the cloud gave be replaced, and one that a user chose not`(isGiven: Bool) {
    var model = ReferenceModel(stampField: nil, knowsAdoptions: true, isGiven: { _, _ in isGiven })
    for (device, text) in ["a", "b"].enumerated() {
      let record = LocalRecord(recordID: key.id, recordType: "Item", local: Self.content(text))
      model.adopted([record], by: "nanny", on: device)
    }
    let complaint = model.complaint(about: key, final: Self.content("b"), journal: [], refused: [])
    #expect((complaint?.0 == .lostEdit) == !isGiven)
  }
}
