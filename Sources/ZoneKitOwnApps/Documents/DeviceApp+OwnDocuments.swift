import ZoneKitDeviceHost
import ZoneKitDocuments
import ZoneKitRecords
import ZoneKitSync

extension DeviceApp {
  /// The name of apps with documents that a file describes.
  package static let documentsName = "documents"

  /// An app with the documents that a file describes. Documents merge member by member, and their items one by one.
  package static func documents(of documents: DocumentApp, from file: DescribingFile) -> DeviceApp {
    let data = DocumentData(app: documents)
    var app = DeviceApp(
      documentsName, configuration: .documents(of: documents.schema), container: documents.container,
      zones: [documents.zoneID]
    ) { _ in RunningOwnApp(data: data) }
    app.cloud = .documents(documents)
    app.describingFile = file
    app.commands = Commands(verbs: data.verbs, help: documentsHelp)
    app.interchange = .documents(
      of: documents, named: documents.name, summary: "of the file that describes them", example: "{}")
    app.interchange?.mapped = { (mapping) throws(AppRefusal) in try Interchange.mapped(mapping, into: data) }
    app.interchange?.table = { (type, view) in try TableExport(data: data).export(type, view) }
    app.simulation = DocumentSimulation(documents).part
    return app
  }

  /// The lines of the help for documents of any file.
  package static let documentsHelp = [
    "new COLLECTION [as ID] MEMBER=VALUE ...       set ID MEMBER=VALUE ...",
    "list [COLLECTION] [N]         show ID         delete ID       restore ID [ITEM]",
    "add ID [as ITEM] MEMBER=VALUE ...             change ID ITEM MEMBER=VALUE ...",
    "drop ID ITEM",
    "ID, ITEM: an ID, or the beginning of one; COLLECTION.ID for IDs that two collections have",
    "VALUE: what the file says of the member; texts with blanks in double quotes; none for no value;",
    "       today for a day; now, 18:30, -2h or 2026-11-21T06:06:01Z for a time",
    "Members and items that were edited apart are both kept; of two edits of one the newest wins.",
  ]
}
