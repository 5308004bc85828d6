import Records
import SyncCoordinator

extension RecordContent {
  /// What the record of an action holds.
  package init(_ action: BabyAction) { self.init(fields: EncodedFields(action.fields), parent: action.parent) }

  /// What the record of a profile holds.
  package init(_ profile: Profile) { self.init(fields: EncodedFields(profile.fields)) }

  /// The fields, or none where the text is damaged: such a record loses against every other version of it.
  var readableFields: Fields { (try? fields.decoded()) ?? Fields() }

  /// The content as the app would write it: an action with the rules applied, known values in their own types, the parent
  /// that the profile reference names. Content that is no action or profile this version can read stays as it is.
  func normalised(recordType: Name) -> RecordContent {
    guard let fields = try? fields.decoded() else { return self }
    // The record's name decides nothing about its content.
    let id = RecordID(recordName: "", zoneID: NannyZone.zoneID)
    switch recordType {
    case BabyAction.recordType:
      guard let action = try? BabyAction(id: id, fields: fields) else { return self }
      let content = RecordContent(ActionRules.normalised(action))
      return RecordContent(fields: content.fields, parent: content.parent ?? parent)
    case Profile.recordType:
      return RecordContent(fields: EncodedFields(Profile(id: id, fields: fields).fields), parent: parent)
    default:
      return self
    }
  }
}
