import ZoneKitRecords

extension ShareFile {
  /// The text of a file with one profile and its actions. Members are in a fixed order and indented by one space; dates
  /// are rounded down to whole seconds. Running actions are under their category, all others in `history`, ordered by
  /// start, newest first, and then by ID.
  ///
  /// Every action has its stamp, also if it came from an old file without one. Otherwise the next reader would use the
  /// time of this file as its stamp, and old content would win over later edits.
  package static func text(of profile: Profile, actions: [BabyAction], exportedAt: WallTime) -> [UInt8] {
    let settled = settled(actions).sorted(by: precedes)
    // Categories are in their fixed order. The running-action rule left at most one action of each.
    let active = Category.allCases.flatMap { category in settled.filter { $0.isRunning && $0.category == category } }
    let document: JSON = [
      "version": .integer(version),
      "exportedAt": .string(exportedAt.iso8601Seconds),
      "profile": json(of: profile),
      "actions": [
        "activeActions": .object(active.map { JSON.Member($0.category.rawValue, json(of: $0)) }),
        "history": .array(settled.filter { !$0.isRunning }.map(json)),
      ],
    ]
    return indentedByOne(document.bytes(.pretty)) + [UInt8(ascii: "\n")]
  }

  /// An action in the file format.
  static func json(of action: BabyAction) -> JSON {
    .present([
      ("id", .string(action.id.recordName.text)),
      ("category", .string(action.category.rawValue)),
      ("startDate", .string(action.startDate.iso8601Seconds)),
      ("endDate", (action.endDate?.iso8601Seconds).map(JSON.string)),
      ("diaperType", (action.diaperType?.rawValue).map(JSON.string)),
      ("feedingType", (action.feedingType?.rawValue).map(JSON.string)),
      ("bottleType", (action.bottleType?.rawValue).map(JSON.string)),
      ("bottleVolume", action.bottleVolume.map(JSON.integer)),
      ("placename", action.placename.map(JSON.string)),
      ("latitude", action.latitude.map(JSON.number)),
      ("longitude", action.longitude.map(JSON.number)),
      ("updatedAt", .string(action.updatedAt.iso8601Seconds)),
    ])
  }

  /// A profile in the file format. A required member without a value gets the app's default.
  static func json(of profile: Profile) -> JSON {
    .present([
      ("id", .string(profile.id.recordName.text)),
      ("name", .string(profile.name)),
      ("birthDate", (profile.birthDate?.iso8601Seconds).map(JSON.string)),
      ("remindersEnabled", .bool(profile.remindersEnabled)),
      ("isShared", .bool(profile.isShared ?? false)),
      ("sharePermissionRawValue", .string(profile.sharePermission ?? "edit")),
      ("shareStatusRawValue", profile.shareStatus.map(JSON.string)),
      ("actionReminderIntervals", profile.reminderIntervals.json(JSON.integer)),
      ("actionRemindersEnabled", profile.actionRemindersEnabled.json(JSON.bool)),
      ("actionReminderOverrides", overrides(of: profile)),
    ])
  }

  private static func overrides(of profile: Profile) -> JSON {
    guard let text = profile.actionReminderOverrides, let json = try? JSON(parsing: text), json.object != nil else {
      return [:]
    }
    return json
  }

  /// The actions after the running-action rule was applied.
  private static func settled(_ actions: [BabyAction]) -> [BabyAction] {
    let repairs = RunningActionRule.repairs(of: actions)
    return actions.map { action in repairs.first { $0.ended.id == action.id }?.ended ?? action }
  }

  private static func precedes(_ first: BabyAction, _ second: BabyAction) -> Bool {
    first.startDate != second.startDate ? first.startDate > second.startDate : first.id < second.id
  }

  /// Halves the indentation. A string in a JSON document contains no line break, so every line begins with indentation
  /// only.
  private static func indentedByOne(_ text: [UInt8]) -> [UInt8] {
    let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let halved = lines.map { line in line.dropFirst(line.prefix { $0 == UInt8(ascii: " ") }.count / 2) }
    return Array(halved.joined(separator: [UInt8(ascii: "\n")]))
  }
}

extension JSON {
  /// An object of the members that have a value.
  fileprivate static func present(_ members: [(String, JSON?)]) -> JSON {
    .object(members.compactMap { key, value in value.map { Member(key, $0) } })
  }
}
