import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSync

extension DeviceApp {
  /// The name of the app of records.
  static let recordsName = "records"

  /// The container of records whose device names none.
  package static let recordsContainer: Name = "iCloud.com.example.records"

  /// An app of records of any type, in zones of a CloudKit container. Of two versions that were edited apart the newest edit wins, field
  /// by field.
  package static var records: DeviceApp { records(in: recordsContainer) }

  /// The same in that container.
  package static func records(in container: Name) -> DeviceApp {
    let data = RecordData()
    var app = DeviceApp(
      recordsName,
      configuration: CoordinatorConfiguration(mergePolicy: RecordData.mergePolicy, stampField: RecordData.stamp),
      container: container, zones: [RecordData.zone]
    ) { _ in RunningOwnApp(data: data) }
    if container != recordsContainer { app.chosenContainer = container }
    app.commands = Commands(
      verbs: data.verbs,
      help: [
        "new TYPE [as NAME] [in ZONE] FIELD=VALUE ...  set ID FIELD=VALUE ...",
        "list [TYPE] [N]               show ID         delete ID",
        "ID: a record's name, or the beginning of one; ZONE/NAME in other zones than Records",
      ] + RecordWord.help + ["Of two edits of a field the newest wins; edits of different fields are both kept."])
    app.interchange = .records
    app.interchange?.mapped = { (mapping) throws(AppRefusal) in try Interchange.mapped(intoRecords: mapping) }
    app.interchange?.table = { (type, view) in try TableExport(data: data).export(type, view) }
    app.simulation = RecordSimulation.part
    return app
  }
}
