import ZoneKitDeviceHost
import ZoneKitRecords

/// A new value for one field of an action; nil removes the value.
package enum ActionEdit: Hashable, Sendable {
  case startDate(TimeWord)
  /// Without an end the action is running again.
  case endDate(TimeWord?)
  case diaperType(DiaperType)
  case feedingType(FeedingType)
  case bottleType(BottleType?)
  case bottleVolume(Int64?)
  case latitude(Double?)
  case longitude(Double?)
  case placename(String?)

  /// The field's name.
  package var field: Name {
    switch self {
    case .startDate: ActionKeys.startDate
    case .endDate: ActionKeys.endDate
    case .diaperType: ActionKeys.diaperType
    case .feedingType: ActionKeys.feedingType
    case .bottleType: ActionKeys.bottleType
    case .bottleVolume: ActionKeys.bottleVolume
    case .latitude: ActionKeys.latitude
    case .longitude: ActionKeys.longitude
    case .placename: ActionKeys.placename
    }
  }

  /// The action with the new value and with the app's rules applied, on a device in that time zone.
  package func applied(
    to action: BabyAction, now: WallTime, in zone: TimeZoneRules = .utc
  ) throws(AppRefusal) -> BabyAction {
    try check(action)
    var action = action
    switch self {
    case .startDate(let time): action.startDate = time.resolved(now: now, in: zone)
    case .endDate(let time): action.endDate = time?.resolved(now: now, in: zone)
    case .diaperType(let type): action.diaperType = type
    case .feedingType(let type): action.feedingType = type
    case .bottleType(let type): action.bottleType = type
    case .bottleVolume(let volume): action.bottleVolume = volume
    case .latitude(let degrees): action.latitude = degrees
    case .longitude(let degrees): action.longitude = degrees
    case .placename(let name): action.placename = name
    }
    // If a newer version of the app wrote the value under this name, the user's edit replaces or removes it.
    action.carried.rest.remove(field)
    return ActionRules.normalised(action)
  }

  private func check(_ action: BabyAction) throws(AppRefusal) {
    switch self {
    case .startDate, .latitude, .longitude, .placename: return
    case .endDate:
      guard !action.category.canRun else { return }
      throw AppRefusal("a diaper change is one moment; edit its startDate instead")
    case .diaperType: try demand(action.category == .diaper, "diaperType", of: "a diaper change", action)
    case .feedingType: try demand(action.category == .feeding, "feedingType", of: "a feeding", action)
    case .bottleType: try demand(action.feedingType == .bottle, "bottleType", of: "a bottle", action)
    case .bottleVolume: try demand(action.feedingType == .bottle, "bottleVolume", of: "a bottle", action)
    }
  }

  private func demand(
    _ fits: Bool, _ field: String, of kind: String, _ action: BabyAction
  ) throws(AppRefusal) {
    guard !fits else { return }
    throw AppRefusal("only \(kind) has a \(field); \(action.shortID) is \(action.title)")
  }
}
