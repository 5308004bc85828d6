import ZoneKitRecords

/// The rules for every action.
package enum ActionRules {
  /// The action with the rules applied: an end before the start becomes the start; a diaper change ends at its start;
  /// only a diaper change has a diaper type, only a feeding a feeding type, and only a bottle a type and a volume. The
  /// stamp is unchanged, because a repair is not an edit. Applying the rules twice changes nothing more.
  package static func normalised(_ action: BabyAction) -> BabyAction {
    var action = action
    if let end = action.endDate { action.endDate = max(end, action.startDate) }
    if !action.category.canRun { action.endDate = action.startDate }
    if action.category != .diaper { action.drop(ActionKeys.diaperType) }
    if action.category != .feeding { action.drop(ActionKeys.feedingType) }
    if !mayBeBottle(action) {
      action.drop(ActionKeys.bottleType)
      action.drop(ActionKeys.bottleVolume)
    }
    return action
  }

  /// Whether the action may have a bottle's values. A feeding with a type that only a newer version knows may.
  private static func mayBeBottle(_ action: BabyAction) -> Bool {
    action.feedingType == .bottle
      || action.feedingType == nil && action.carried.rest[ActionKeys.feedingType] != nil
  }
}

extension BabyAction {
  /// Removes a value that belongs to one kind of action only, also if it was preserved.
  fileprivate mutating func drop(_ name: Name) {
    switch name {
    case ActionKeys.diaperType: diaperType = nil
    case ActionKeys.feedingType: feedingType = nil
    case ActionKeys.bottleType: bottleType = nil
    default: bottleVolume = nil
    }
    carried.rest.remove(name)
  }
}
