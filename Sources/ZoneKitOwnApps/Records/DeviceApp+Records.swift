import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSync

extension DeviceApp {
  /// An app of records of any type, in a zone of CloudKit. Of two versions that were edited apart the newest edit wins, field
  /// by field.
  package static var records: DeviceApp {
    let data = RecordData()
    var app = DeviceApp(
      "records",
      configuration: CoordinatorConfiguration(
        mergePolicy: .newestEdit(stamp: RecordData.stamp), stampField: RecordData.stamp),
      container: "iCloud.com.example.records", zones: [RecordData.zone]
    ) { _ in RunningOwnApp(data: data) }
    app.commands = Commands(
      verbs: data.verbs,
      help: [
        "new TYPE [as NAME] FIELD=VALUE ...            set ID FIELD=VALUE ...",
        "list [TYPE] [N]               show ID         delete ID",
        "ID: a record's name, or the beginning of one",
      ] + RecordWord.help + ["Of two edits of a field the newest wins; edits of different fields are both kept."])
    app.simulation = RecordSimulation.part
    return app
  }
}
