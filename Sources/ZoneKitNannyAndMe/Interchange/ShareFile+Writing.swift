import ZoneKitRecords

extension ShareFile {
  /// The text of a share file: one profile and its actions, members in a fixed order, indented by one space, dates
  /// rounded down to whole seconds. Running actions stand under their category, all others in `history`, the newest
  /// start first and of equal starts the smaller ID first.
  ///
  /// Every action carries its stamp, also one that came from an old file without one. Without it the next reader
  /// would give it the stamp of this file, and old content would beat later edits.
  package static func text(of profile: Profile, actions: [BabyAction], exportedAt: WallTime) -> [UInt8] {
    let settled = settled(actions).sorted(by: precedes)
    // Categories in their fixed order; the running-action rule left one of each at most.
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

  /// An action as the format has it.
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

  /// A profile as the format has it; a member that the format demands gets the app's default where the profile has none.
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

  /// The actions as they are once the running-action rule has been applied.
  private static func settled(_ actions: [BabyAction]) -> [BabyAction] {
    let repairs = RunningActionRule.repairs(of: actions)
    return actions.map { action in repairs.first { $0.ended.id == action.id }?.ended ?? action }
  }

  private static func precedes(_ first: BabyAction, _ second: BabyAction) -> Bool {
    first.startDate != second.startDate ? first.startDate > second.startDate : first.id < second.id
  }

  /// Halves the indentation; a string in a JSON document holds no line break, so that a line begins with nothing else.
  private static func indentedByOne(_ text: [UInt8]) -> [UInt8] {
    let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let halved = lines.map { line in line.dropFirst(line.prefix { $0 == UInt8(ascii: " ") }.count / 2) }
    return Array(halved.joined(separator: [UInt8(ascii: "\n")]))
  }
}

extension JSON {
  /// An object of those members that have a value.
  fileprivate static func present(_ members: [(String, JSON?)]) -> JSON {
    .object(members.compactMap { key, value in value.map { Member(key, $0) } })
  }
}
