import ZoneKitDeviceHost
import ZoneKitDocuments
import ZoneKitRecords
import ZoneKitSync

extension DeviceApp {
  /// The diet log: a food diary of one person on several devices, whose documents merge item by item.
  package static var dietLog: DeviceApp {
    var app = DeviceApp(
      "DietLog", configuration: .documents(of: DietLog.schema), container: DietLog.documents.container,
      zones: [DietLog.zoneID]
    ) { _ in RunningDietLog() }
    app.cloud = .documents(DietLog.documents)
    app.kinds = DietLog.written.map { Kind(DietLog.word($0.name), type: $0.name) }
    app.commands = Commands(verbs: DietCommand.verbs, help: DietCommand.help)
    app.interchange = .documents(
      of: DietLog.documents, named: "DietLog",
      summary: "weights in grams, amounts in thousandths, times in ISO 8601",
      example: #"{"weightLogs":[{"_id":"w1","loggedDate":"2026-11-21","loggedAt":"2026-11-21T06:06:01.308Z","#
        + #""weightG":72500,"updatedAt":"2026-11-21T06:06:01.308Z"}]}"#)
    app.hasSyncLine = true
    app.simulation = DietSimulation.part
    return app
  }
}
