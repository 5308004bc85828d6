import ZoneKitRecords

/// What holds for every action, from any writer.
package enum ActionRules {
  /// The action with the rules applied: an end before the start becomes the start, a diaper change ends as it starts,
  /// and only a diaper change has a diaper type, only a feeding a feeding type, only a bottle a type and a volume. The
  /// stamp stays: repairing is no edit. Applying the rules twice changes nothing more.
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

  /// A feeding with a type that only a newer version knows may have a bottle's values.
  private static func mayBeBottle(_ action: BabyAction) -> Bool {
    action.feedingType == .bottle
      || action.feedingType == nil && action.carried.rest[ActionKeys.feedingType] != nil
  }
}

extension BabyAction {
  /// Removes one of the values that belong to one kind of action only, also where it was carried along.
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
