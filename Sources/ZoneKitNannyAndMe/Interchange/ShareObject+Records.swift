import ZoneKitRecords

extension ShareObject {
  /// Reads an action. Without `updatedAt`, as in files of old app versions, it gets the time of the file as its stamp.
  mutating func action(of profile: RecordID, exportedAt: WallTime) throws(ShareNote) -> BabyAction {
    let id = RecordID(recordName: try uuid("id"), zoneID: profile.zoneID)
    let category: Category = try demand("category", "one of \(Category.list)", try choice("category"))
    let startDate = try demand("startDate", "a date", try time("startDate"))
    var action = BabyAction(
      id: id, category: category, startDate: startDate, endDate: try time("endDate"), profile: profile.recordName,
      updatedAt: try time("updatedAt") ?? exportedAt)
    action.diaperType = try choice("diaperType")
    action.feedingType = try choice("feedingType")
    action.bottleType = try choice("bottleType")
    action.bottleVolume = try integer("bottleVolume", in: BabyAction.volumes)
    action.latitude = try degrees("latitude", limit: 90)
    action.longitude = try degrees("longitude", limit: 180)
    action.placename = try string("placename")
    return action
  }

  /// Reads the profile. It must have an ID and a name. A setting of the wrong type is left out and reported, and so are
  /// pictures, because the cloud has no assets yet. The format has no stamp for a profile, so it gets the time of the
  /// file.
  mutating func profile(
    zoneID: ZoneID, exportedAt: WallTime, keptOut: inout [ShareNote]
  ) throws(ShareNote) -> Profile {
    let id = RecordID(recordName: try uuid("id"), zoneID: zoneID)
    var profile = Profile(id: id, name: try demand("name", "a name", try string("name")), updatedAt: exportedAt)
    profile.birthDate = setting(&keptOut) { object throws(ShareNote) in try object.time("birthDate") }
    profile.remindersEnabled =
      setting(&keptOut) { object throws(ShareNote) in try object.bool("remindersEnabled") } ?? true
    profile.isShared = setting(&keptOut) { object throws(ShareNote) in try object.bool("isShared") }
    profile.sharePermission =
      setting(&keptOut) { object throws(ShareNote) in try object.string("sharePermissionRawValue") }
    profile.shareStatus = setting(&keptOut) { object throws(ShareNote) in try object.string("shareStatusRawValue") }
    profile.reminderIntervals = perCategory("actionReminderIntervals", "whole seconds", &keptOut) { json in
      json.integer.flatMap { $0 >= 0 ? $0 : nil }
    }
    profile.actionRemindersEnabled = perCategory("actionRemindersEnabled", "true or false", &keptOut, \.bool)
    profile.actionReminderOverrides = overrides(&keptOut)
    for picture in ["imageData", "avatarURL"] where value(picture) != nil {
      keptOut.append(ShareNote(ShareNote.path(path, picture), "pictures are not taken over yet; kept out"))
    }
    return profile
  }

  private mutating func setting<Value>(
    _ keptOut: inout [ShareNote], _ read: (inout ShareObject) throws(ShareNote) -> Value?
  ) -> Value? {
    do throws(ShareNote) { return try read(&self) } catch {
      keptOut.append(ShareNote(error.path, error.reason + "; kept out"))
      return nil
    }
  }

  private mutating func perCategory<Value>(
    _ key: String, _ what: String, _ keptOut: inout [ShareNote], _ read: (JSON) -> Value?
  ) -> PerCategory<Value> {
    var values = PerCategory<Value>()
    let place = ShareNote.path(path, key)
    guard let json = value(key) else { return values }
    guard let members = json.object else {
      keptOut.append(ShareNote(place, "expected \(what) by category, found \(json.kind); kept out"))
      return values
    }
    for member in members {
      if let category = Category(rawValue: member.key), let value = read(member.value) {
        values[category] = value
      } else {
        keptOut.append(ShareNote(ShareNote.path(place, member.key), "expected \(what) of a category; kept out"))
      }
    }
    return values
  }

  private mutating func overrides(_ keptOut: inout [ShareNote]) -> String? {
    guard let json = value("actionReminderOverrides") else { return nil }
    let place = ShareNote.path(path, "actionReminderOverrides")
    guard json.object == nil else {
      // Stored in the one form that an export reads and writes, however the file spells its numbers and strings.
      if let overrides = try? JSON(parsing: json.text()) { return overrides.text() }
      keptOut.append(ShareNote(place, "expected numbers within the range of a Double; kept out"))
      return nil
    }
    keptOut.append(ShareNote(place, "expected an object, found \(json.kind); kept out"))
    return nil
  }
}
