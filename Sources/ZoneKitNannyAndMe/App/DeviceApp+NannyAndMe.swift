import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSync

extension DeviceApp {
  /// NannyAndMe, the reference app: a baby log that two carers keep on two devices of one account.
  package static var nannyAndMe: DeviceApp {
    var app = DeviceApp(
      "NannyAndMe",
      configuration: CoordinatorConfiguration(
        mergePolicy: NannyMergePolicy.policy(deletion: .losesToNewerStamp), stampField: ActionKeys.updatedAt),
      container: NannyZone.container, zones: [NannyZone.zoneID]
    ) { view throws(StoreError) in try RunningNannyApp(view) }
    app.kinds = [Kind("action", type: BabyAction.recordType), Kind("profile", type: Profile.recordType)]
    app.commands = Commands(verbs: NannyCommand.verbs, help: NannyCommand.help)
    app.interchange = .nannyAndMe
    app.simulation = NannySimulation.part
    return app
  }
}
