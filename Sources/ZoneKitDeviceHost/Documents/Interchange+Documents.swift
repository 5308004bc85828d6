import ZoneKitDocuments
import ZoneKitRecords
import ZoneKitSync

extension DeviceApp.Interchange {
  /// The file format of an app with documents, in which the app has that name: all documents in one file, in the form in which
  /// clients send them. `example` has a list of documents for a collection, and `summary` says what their members are.
  package static func documents(
    of app: DocumentApp, named name: String, summary: String, example: String
  ) -> DeviceApp.Interchange {
    DeviceApp.Interchange(
      summary: "documents by collection, as clients send them; \(summary)",
      example: #"{"version":1,"app":"\#(name)","documents":\#(example)}"#,
      check: { (file) throws(AppRefusal) in _ = try DocumentFile(parsing: file, of: app, named: name) },
      merge: { (file, view) in
        let plan = try DocumentImport(DocumentFile(parsing: file, of: app, named: name), into: view, of: app)
        return AppAnswer(edits: plan.edits, lines: { plan.lines }, members: { _ in plan.members })
      },
      export: { (selection, view) in try export(selection, view, of: app, named: name) })
  }

  private static func export(
    _ selection: DeviceApp.Selection, _ view: AppView, of app: DocumentApp, named name: String
  ) throws -> DeviceApp.Export {
    if case .named(let profile) = selection {
      throw AppRefusal("\(name) exports all documents in one file; leave out the profile \(profile)")
    }
    var lists: [JSON.Member] = []
    for collection in app.schema.collections where !collection.isDerived {
      let documents = try view.store.records(ofType: collection.name).compactMap(app.document)
      lists.append(
        JSON.Member(collection.name.text, .array(documents.map { app.json(of: $0.name, $0.fields) })))
    }
    let document: JSON = [
      "version": .integer(DocumentFile.version), "app": .string(name), "exportedAt": .string(view.wall.iso8601),
      "documents": .object(lists),
    ]
    return DeviceApp.Export(files: [
      DeviceApp.Export.File(name: "\(name).json", text: document.bytes() + [UInt8(ascii: "\n")])
    ])
  }
}
