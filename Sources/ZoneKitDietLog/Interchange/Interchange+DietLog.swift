import ZoneKitDeviceHost
import ZoneKitDocuments
import ZoneKitRecords
import ZoneKitSync

extension DeviceApp.Interchange {
  /// The diet log's file format: all documents in one file, in the form in which clients send them.
  static var dietLog: DeviceApp.Interchange {
    DeviceApp.Interchange(
      summary:
        "documents by collection, as clients send them; weights in grams, amounts in thousandths, times in ISO 8601",
      example: #"{"version":1,"app":"DietLog","documents":{"weightLogs":[{"_id":"w1","loggedDate":"2026-11-21","#
        + #""loggedAt":"2026-11-21T06:06:01.308Z","weightG":72500,"updatedAt":"2026-11-21T06:06:01.308Z"}]}}"#,
      check: check, merge: merge, export: export)
  }

  @Sendable private static func check(_ file: [UInt8]) throws(AppRefusal) { _ = try DietFile(parsing: file) }

  @Sendable private static func merge(_ file: [UInt8], into view: AppView) throws -> AppAnswer {
    let file = try DietFile(parsing: file)
    var diary = Diary()
    try diary.read(DietLog.written.map(\.name), from: view)
    let plan = DietImport(file, into: diary)
    return AppAnswer(edits: plan.edits, lines: { plan.lines }, members: { _ in plan.members })
  }

  @Sendable private static func export(
    _ selection: DeviceApp.Selection, _ view: AppView
  ) throws -> DeviceApp.Export {
    if case .named(let name) = selection {
      throw AppRefusal("the diet log exports all documents in one file; leave out the profile \(name)")
    }
    var diary = Diary()
    try diary.read(DietLog.written.map(\.name), from: view)
    let lists = DietLog.written.map { collection in
      JSON.Member(collection.name.text, .array(diary.documents(in: collection.name).map(\.json)))
    }
    let document: JSON = [
      "version": .integer(DietFile.version), "app": .string(DietFile.app), "exportedAt": .string(view.wall.iso8601),
      "documents": .object(lists),
    ]
    return DeviceApp.Export(files: [
      DeviceApp.Export.File(name: "DietLog.json", text: document.bytes() + [UInt8(ascii: "\n")])
    ])
  }
}
