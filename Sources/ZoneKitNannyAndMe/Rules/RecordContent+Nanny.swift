import ZoneKitRecords
import ZoneKitSync

extension RecordContent {
  /// The content of an action's record.
  package init(_ action: BabyAction) { self.init(fields: EncodedFields(action.fields), parent: action.parent) }

  /// The content of a profile's record.
  package init(_ profile: Profile) { self.init(fields: EncodedFields(profile.fields)) }

  /// The fields; none if the text is damaged. Such a record loses to every other version.
  var readableFields: Fields { (try? fields.decoded()) ?? Fields() }

  /// The content as the app writes it: an action with the rules applied, known values in their own types, and the
  /// profile as parent. All other content is unchanged: a profile has no rules, and an action that this version cannot
  /// read must not be repaired.
  func normalised(recordType: Name) -> RecordContent {
    // The name has no effect on the content.
    let id = RecordID(recordName: "", zoneID: NannyZone.zoneID)
    guard recordType == BabyAction.recordType, let fields = try? fields.decoded(),
      let action = try? BabyAction(id: id, fields: fields)
    else { return self }
    let content = RecordContent(ActionRules.normalised(action))
    return RecordContent(fields: content.fields, parent: content.parent ?? parent)
  }
}
