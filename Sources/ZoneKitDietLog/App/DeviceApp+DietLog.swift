import ZoneKitDeviceHost
import ZoneKitDocuments
import ZoneKitRecords
import ZoneKitSync

extension DeviceApp {
  /// The diet log: a food diary of one person on several devices, whose documents merge item by item.
  package static var dietLog: DeviceApp {
    var app = DeviceApp(
      "DietLog", configuration: .dietLog, container: DietLog.documents.container, zones: [DietLog.zoneID]
    ) { _ in RunningDietLog() }
    app.cloud = .documents(DietLog.documents)
    app.kinds = DietLog.written.map { Kind(DietLog.word($0.name), type: $0.name) }
    app.commands = Commands(verbs: DietCommand.verbs, help: DietCommand.help)
    app.interchange = .dietLog
    app.hasSyncLine = true
    app.simulation = DietSimulation.part
    return app
  }
}

extension CoordinatorConfiguration {
  /// The settings of the diet log's devices.
  static var dietLog: CoordinatorConfiguration {
    var configuration = CoordinatorConfiguration(mergePolicy: DietMergePolicy.policy, stampField: .documentStamp)
    configuration.merging.stampParts = ItemStamps.stamped
    configuration.traits.derivedTypes = Set(DietLog.schema.collections.filter(\.isDerived).map(\.recordType))
    configuration.merging.deleteRule = .policy
    configuration.limits.zones = 1
    configuration.pacing.localChangesFetch = true
    configuration.pacing.sendsInBackground = true
    // The first edit after 5 s without one goes at once, more wait for 5 s without another one, at most 30 s.
    configuration.pacing.paces = [
      .localChange: Pace(quiet: 5_000, limit: 30_000, firstAtOnce: true, countsRequests: true)
    ]
    configuration.pacing.backoffFirst = 1_000
    configuration.pacing.backoffLimit = 300_000
    return configuration
  }
}
