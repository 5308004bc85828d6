import ZoneKitNannyAndMe
import ZoneKitRecords
import ZoneKitSync

/// 2026-08-14T06:00:00Z, the morning on which all examples play.
let morning = WallTime(milliseconds: 1_786_687_200_000)

let profileName: Name = "E9464B86-36B3-4E94-93C5-DCC2AF87B33D"

/// A record of the app's zone.
func recordID(_ name: Name) -> RecordID { RecordID(recordName: name, zoneID: NannyZone.zoneID) }

/// A record whose name is a UUID that ends in that number.
func actionID(_ number: Int) -> RecordID {
  let digits = String(number, radix: 16, uppercase: true)
  let padding = String(repeating: "0", count: 8 - digits.utf8.count)
  return recordID(Name(padding + digits + "-0000-4000-8000-000000000000"))
}

extension WallTime {
  /// The moment that many minutes after `morning`.
  static func minute(_ minutes: Int64) -> WallTime { morning.advanced(byMilliseconds: minutes * 60_000) }
}

extension BabyAction {
  /// A sleep of the sample profile.
  static func sleep(
    _ number: Int = 1, from start: Int64, to end: Int64? = nil, stamp: Int64 = 0
  ) -> BabyAction {
    BabyAction(
      id: actionID(number), category: .sleep, startDate: .minute(start), endDate: end.map(WallTime.minute),
      profile: profileName, updatedAt: .minute(stamp))
  }

  /// A bottle of the sample profile.
  static func bottle(_ number: Int = 1, at start: Int64, volume: Int64?, stamp: Int64 = 0) -> BabyAction {
    var action = BabyAction(
      id: actionID(number), category: .feeding, startDate: .minute(start), endDate: .minute(start + 10),
      profile: profileName, updatedAt: .minute(stamp))
    action.feedingType = .bottle
    action.bottleType = .formula
    action.bottleVolume = volume
    return action
  }

  /// An action drawn from few values, so that ties in every step of the order are common: equal stamps, missing ends,
  /// equal content, and values that break the rules.
  static func random(_ number: Int, using generator: inout SplitMix64) -> BabyAction {
    var action = BabyAction(
      id: actionID(number), category: Category.allCases.randomElement(using: &generator)!,
      startDate: .minute(.random(in: 0...2, using: &generator)), profile: profileName,
      updatedAt: .minute(.random(in: 0...2, using: &generator)))
    if Bool.random(using: &generator) { action.endDate = .minute(.random(in: -1...4, using: &generator)) }
    action.diaperType = ([nil] + DiaperType.allCases.map(Optional.some)).randomElement(using: &generator)!
    action.feedingType = ([nil] + FeedingType.allCases.map(Optional.some)).randomElement(using: &generator)!
    action.bottleVolume = [nil, 60, 120].randomElement(using: &generator)!
    action.placename = [nil, "é", "e\u{301}"].randomElement(using: &generator)!
    return action
  }
}
