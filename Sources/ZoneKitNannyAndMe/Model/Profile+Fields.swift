import ZoneKitRecords

extension Profile {
  /// Reads a record's fields. A missing name counts as empty, a missing stamp as 1970, and a missing setting of
  /// reminders as on. A value that this version does not know counts as absent and is preserved.
  package init(id: RecordID, fields: Fields) {
    var reader = FieldReader(fields)
    self.init(
      id: id, name: reader.string(ProfileKeys.name) ?? "",
      updatedAt: reader.time(ProfileKeys.updatedAt) ?? .oldestStamp)
    birthDate = reader.time(ProfileKeys.birthDate)
    remindersEnabled = reader.flag(ProfileKeys.remindersEnabled) ?? true
    reminderIntervals = reader.perCategory(ProfileKeys.reminderIntervals, \.integer)
    actionRemindersEnabled = reader.perCategory(ProfileKeys.actionRemindersEnabled, \.bool)
    actionReminderOverrides = reader.string(ProfileKeys.actionReminderOverrides)
    isShared = reader.flag(ProfileKeys.isShared)
    sharePermission = reader.string(ProfileKeys.sharePermission)
    shareStatus = reader.string(ProfileKeys.shareStatus)
    carried = CarriedFields(reader)
  }

  /// The record's fields, with the preserved ones.
  package var fields: Fields {
    var writer = FieldWriter(over: carried)
    writer.set(ProfileKeys.name, .string(name))
    writer.set(ProfileKeys.birthDate, birthDate.map(FieldValue.timestamp))
    writer.set(ProfileKeys.remindersEnabled, .int64(remindersEnabled ? 1 : 0))
    writer.set(ProfileKeys.reminderIntervals, reminderIntervals.jsonText(JSON.integer).map(FieldValue.string))
    writer.set(ProfileKeys.actionRemindersEnabled, actionRemindersEnabled.jsonText(JSON.bool).map(FieldValue.string))
    writer.set(ProfileKeys.actionReminderOverrides, actionReminderOverrides.map(FieldValue.string))
    writer.set(ProfileKeys.isShared, isShared.map { .int64($0 ? 1 : 0) })
    writer.set(ProfileKeys.sharePermission, sharePermission.map(FieldValue.string))
    writer.set(ProfileKeys.shareStatus, shareStatus.map(FieldValue.string))
    writer.set(ProfileKeys.updatedAt, .timestamp(updatedAt))
    return writer.fields
  }
}

extension PerCategory {
  /// The values as a JSON object, in the order of the categories.
  func json(_ write: (Value) -> JSON) -> JSON {
    .object(entries.map { JSON.Member($0.category.rawValue, write($0.value)) })
  }

  fileprivate func jsonText(_ write: (Value) -> JSON) -> String? {
    entries.isEmpty ? nil : json(write).text()
  }
}

extension FieldReader {
  /// Reads a JSON object of values by category from a STRING or BYTES field. It is understood only if every member is:
  /// the value of a newer version's category must not be lost when an older version rewrites the field.
  fileprivate mutating func perCategory<Value>(_ name: Name, _ read: (JSON) -> Value?) -> PerCategory<Value> {
    var values = PerCategory<Value>()
    guard let members = jsonMembers(name) else { return values }
    for member in members {
      guard let category = Category(rawValue: member.key), let value = read(member.value) else { return PerCategory() }
      values[category] = value
    }
    drop(name)
    return values
  }

  private func jsonMembers(_ name: Name) -> [JSON.Member]? {
    let json: JSON? =
      switch rest[name] {
      case .string(let text): try? JSON(parsing: text)
      case .bytes(let bytes): try? JSON(parsing: bytes)
      default: nil
      }
    return json?.object
  }
}
