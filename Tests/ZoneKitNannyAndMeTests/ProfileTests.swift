import ZoneKitNannyAndMe
import ZoneKitRecords
import Testing

struct ProfileTests {
  private func profile() -> Profile {
    var profile = Profile(id: recordID(profileName), name: "Mia", updatedAt: .minute(1))
    profile.birthDate = .minute(-60)
    profile.remindersEnabled = false
    profile.reminderIntervals[.feeding] = 7200
    profile.reminderIntervals[.sleep] = 10_800
    profile.actionRemindersEnabled[.diaper] = false
    profile.actionReminderOverrides = "{}"
    profile.isShared = true
    profile.sharePermission = "edit"
    profile.shareStatus = "accepted"
    return profile
  }

  @Test func `a profile is written with the field types of the format`() {
    #expect(
      profile().fields.sorted == [
        Field(name: "actionReminderOverrides", value: .string("{}")),
        Field(name: "actionRemindersEnabled", value: .string(#"{"diaper":false}"#)),
        Field(name: "birthDate", value: .timestamp(.minute(-60))),
        Field(name: "isShared", value: .int64(1)),
        Field(name: "name", value: .string("Mia")),
        Field(name: "reminderIntervals", value: .string(#"{"sleep":10800,"feeding":7200}"#)),
        Field(name: "remindersEnabled", value: .int64(0)),
        Field(name: "sharePermission", value: .string("edit")),
        Field(name: "shareStatus", value: .string("accepted")),
        Field(name: "updatedAt", value: .timestamp(.minute(1))),
      ])
  }

  @Test func `a profile comes back from its fields as it was`() {
    #expect(Profile(id: profile().id, fields: profile().fields) == profile())
  }

  @Test func `a record without any field is a profile without a name that reminds`() {
    let empty = Profile(id: recordID(profileName), fields: Fields())
    #expect(empty == Profile(id: recordID(profileName), name: "", updatedAt: WallTime(milliseconds: 0)))
    #expect(empty.remindersEnabled)
  }

  @Test func `intervals may come as bytes and are written as text`() {
    var fields = profile().fields
    fields["reminderIntervals"] = .bytes(Array(#"{"diaper": 60}"#.utf8))
    let read = Profile(id: recordID(profileName), fields: fields)
    #expect(read.reminderIntervals[.diaper] == 60)
    #expect(read.fields["reminderIntervals"] == .string(#"{"diaper":60}"#))
  }

  @Test(arguments: [#"{"sleep":60,"bath":5}"#, #"{"sleep":"soon"}"#, "[]", "{", ""])
  func `intervals that this version cannot read are carried along untouched`(text: String) {
    var fields = profile().fields
    fields["reminderIntervals"] = .string(text)
    let read = Profile(id: recordID(profileName), fields: fields)
    #expect(read.reminderIntervals.entries.isEmpty)
    #expect(read.fields["reminderIntervals"] == .string(text))
  }

  @Test func `a picture survives a rename`() {
    var fields = profile().fields
    fields["avatar"] = .bytes([1, 2, 3])
    var read = Profile(id: recordID(profileName), fields: fields)
    read.name = "Zoë"
    #expect(read.fields["avatar"] == .bytes([1, 2, 3]))
    #expect(read.fields["name"] == .string("Zoë"))
  }
}
