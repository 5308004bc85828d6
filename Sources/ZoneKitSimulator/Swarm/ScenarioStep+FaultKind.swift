import ZoneKitScenarios

extension ScenarioStep {
  /// The kind of the fault in summaries; nil if the step is no fault.
  var faultKind: String? {
    switch self {
    case .wait, .note, .countFromHere, .measureFromHere, .repeated, .stopUnlessDeviceIDsDiffer, .app, .expect,
      .cloud(.behave):
      nil
    case .link: "link"
    case .push: "push fault"
    case .zone, .reset(.zone), .reset(.cloud): "zone or subscription"
    case .life(let step): step.faultKind
    case .account: "account"
    case .clock: "clock"
    case .disk: "disk fault"
    case .damage(.backUpZone), .damage(.backUpCloud), .damage(.repairCloud): nil
    case .damage: "damage"
    case .reset(.local), .reset(.tokens): "store reset"
    case .cloud(.fullDisk), .cloud(.unreadableDisk): "cloud disk"
    case .cloud(.expireDatabaseTokens), .cloud(.loseSubscription), .cloud(.muteSubscription),
      .cloud(.doubleSubscription):
      "zone or subscription"
    case .cloud: "server fault"
    case .tables(.set), .tables(.remove), .documents(.push): "foreign client"
    case .documents: nil
    case .tables(.givePhoto), .tables(.removePhoto): nil
    case .tables(.purge): "purge"
    case .tables(.trouble): "server fault"
    case .tables(.endSession), .tables(.removeAccount): "account"
    }
  }
}

extension LifeStep {
  fileprivate var faultKind: String? {
    switch self {
    case .start, .foreground, .look, .backUp: nil
    case .background, .lowPower, .fullPower, .backgroundRefresh: "device life"
    case .forceQuit: "force-quit"
    case .kill(.cloud), .killFor(.cloud, _), .killAt(.cloud, _, _), .restart(.cloud), .powerCut(.cloud, _):
      "cloud crash"
    case .kill, .killFor, .killAt, .restart: "kill"
    case .powerCut: "power cut"
    case .erase: "store reset"
    case .restoreBackup, .restoreCopy, .restoreOnto: "twin"
    }
  }
}
