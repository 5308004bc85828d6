import ZoneKitNannyAndMe
import ZoneKitRecords
import ZoneKitSync
import Testing

struct BabyActionTests {
  @Test func `a bottle is written with the field types of the format`() throws {
    var action = BabyAction.bottle(at: 0, volume: 120, stamp: 11)
    action.latitude = 48.15
    action.longitude = 11.5
    action.placename = "Spielplatz 🌳"
    let reference = Reference(recordName: profileName, action: .deleteSelf)
    #expect(
      action.fields.sorted == [
        Field(name: "bottleType", value: .string("formula")),
        Field(name: "bottleVolume", value: .int64(120)),
        Field(name: "category", value: .string("feeding")),
        Field(name: "endDate", value: .timestamp(.minute(10))),
        Field(name: "feedingType", value: .string("bottle")),
        Field(name: "latitude", value: .double(48.15)),
        Field(name: "longitude", value: .double(11.5)),
        Field(name: "placename", value: .string("Spielplatz 🌳")),
        Field(name: "profile", value: .reference(reference)),
        Field(name: "startDate", value: .timestamp(.minute(0))),
        Field(name: "updatedAt", value: .timestamp(.minute(11))),
      ])
    #expect(action.parent == profileName)
  }

  @Test(arguments: 1...200 as ClosedRange<UInt64>)
  func `an action comes back from its fields as it was`(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    let action = BabyAction.random(1, using: &generator)
    #expect(try BabyAction(id: action.id, fields: action.fields) == action)
  }

  @Test(
    arguments: [
      ("category", nil, "the field category must be one of sleep, diaper, feeding"),
      ("category", .string("bath"), "the field category must be one of sleep, diaper, feeding"),
      ("category", .int64(1), "the field category must be one of sleep, diaper, feeding"),
      ("startDate", nil, "the field startDate must be a TIMESTAMP"),
      ("startDate", .string("2026-08-14"), "the field startDate must be a TIMESTAMP"),
    ] as [(Name, FieldValue?, String)])
  func `a record that cannot be an action is refused with the reason`(name: Name, value: FieldValue?, reason: String) {
    var fields = BabyAction.sleep(from: 0).fields
    fields[name] = value
    #expect(throws: RefusedRecord(reason)) { try BabyAction(id: actionID(1), fields: fields) }
  }

  @Test func `a record of category and start alone is an action of 1970 without profile`() throws {
    let fields = Fields([
      Field(name: "category", value: .string("sleep")), Field(name: "startDate", value: .timestamp(.minute(0))),
    ])
    let action = try BabyAction(id: actionID(1), fields: fields)
    #expect(action.updatedAt == WallTime(milliseconds: 0))
    #expect(action.profile == nil)
    #expect(action.isRunning)
  }

  @Test func `numbers without a type are read as dates and degrees, and written with their types`() throws {
    var fields = BabyAction.sleep(from: 0, to: 5).fields
    fields["startDate"] = .int64(morning.milliseconds)
    fields["latitude"] = .int64(48)
    let action = try BabyAction(id: actionID(1), fields: fields)
    #expect(action.fields["startDate"] == .timestamp(.minute(0)))
    #expect(action.fields["latitude"] == .double(48))
  }

  @Test func `what a newer version wrote survives an edit by this one`() throws {
    var fields = BabyAction.bottle(at: 0, volume: 120).fields
    fields["mood"] = .string("sunny")
    fields["bottleType"] = .string("goatMilk")
    fields["diaperCount"] = .int64List([1, 2])
    var action = try BabyAction(id: actionID(1), fields: fields)
    #expect(action.bottleType == nil)
    action.bottleVolume = 150
    fields["bottleVolume"] = .int64(150)
    #expect(ActionRules.normalised(action).fields == fields)
  }

  @Test func `a field marked as encrypted stays marked when it is edited`() throws {
    var fields = BabyAction.sleep(from: 0).fields
    fields.set(Field(name: "placename", value: .string("home"), isEncrypted: true))
    var action = try BabyAction(id: actionID(1), fields: fields)
    action.placename = "garden"
    #expect(
      action.fields.sorted.first { $0.name == "placename" }
        == Field(name: "placename", value: .string("garden"), isEncrypted: true))
  }

  @Test func `a volume that makes no sense is carried along, not shown`() throws {
    var fields = BabyAction.bottle(at: 0, volume: 120).fields
    fields["bottleVolume"] = .int64(-5)
    let action = try BabyAction(id: actionID(1), fields: fields)
    #expect(action.bottleVolume == nil)
    #expect(action.fields["bottleVolume"] == .int64(-5))
  }

  @Test func `what a newer version wrote beside and into the fields survives an edit by this one`() throws {
    var fields = BabyAction.bottle(at: 0, volume: 120).fields
    fields["mood"] = .string("sunny")
    fields.set(Field(name: "nurse", value: .referenceList([Reference(recordName: "N")]), isEncrypted: true))
    fields["bottleType"] = .string("oat")
    var action = try BabyAction(id: actionID(1), fields: fields)
    action.bottleVolume = 90
    let edited = action.fields
    #expect(edited["bottleVolume"] == .int64(90))
    #expect(edited["bottleType"] == .string("oat"))
    #expect(FieldMerge.differences(edited, fields) == ["bottleVolume"])
  }
}
