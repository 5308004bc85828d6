import ZoneKitRecords
import ZoneKitSync

extension RecordContent {
  /// What the record of an action holds.
  package init(_ action: BabyAction) { self.init(fields: EncodedFields(action.fields), parent: action.parent) }

  /// What the record of a profile holds.
  package init(_ profile: Profile) { self.init(fields: EncodedFields(profile.fields)) }

  /// The fields, or none where the text is damaged: such a record loses against every other version of it.
  var readableFields: Fields { (try? fields.decoded()) ?? Fields() }

  /// The content as the app would write it: an action with the rules applied, known values in their own types, the
  /// parent that the profile reference names. All other content stays as it is: a profile has no rules, and an action
  /// that this version cannot read is not for it to repair.
  func normalised(recordType: Name) -> RecordContent {
    // The record's name decides nothing about its content.
    let id = RecordID(recordName: "", zoneID: NannyZone.zoneID)
    guard recordType == BabyAction.recordType, let fields = try? fields.decoded(),
      let action = try? BabyAction(id: id, fields: fields)
    else { return self }
    let content = RecordContent(ActionRules.normalised(action))
    return RecordContent(fields: content.fields, parent: content.parent ?? parent)
  }
}
