import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSync

extension DeviceApp.Interchange {
  /// NannyAndMe's file format. Each file has one profile.
  static var nannyAndMe: DeviceApp.Interchange {
    DeviceApp.Interchange(
      summary: "one profile with its actions: running ones under activeActions by category, all others under history; "
        + "times in ISO 8601. Pictures are left out",
      example: #"{"version":1,"exportedAt":"2026-08-14T06:31:05Z","profile":{"id":"#
        + #""E9464B86-36B3-4E94-93C5-DCC2AF87B33D","name":"Mia"},"actions":{"activeActions":{},"history":[{"id":"#
        + #""0A464B86-36B3-4E94-93C5-DCC2AF87B33D","category":"diaper","startDate":"2026-08-14T06:00:00Z","#
        + #""diaperType":"pee"}]}}"#,
      check: check, merge: merge
    ) { selection, view in
      let app = try NannyApp(user: view.account ?? "", rebuiltFrom: view.store)
      return try DeviceApp.Export(of: app, selection, at: view.wall)
    }
  }

  @Sendable private static func check(_ file: [UInt8]) throws(AppRefusal) {
    do throws(ShareFileError) {
      _ = try ShareFile(parsing: file)
    } catch {
      throw AppRefusal(error.description)
    }
  }

  @Sendable private static func merge(_ file: [UInt8], into view: AppView) throws -> AppAnswer {
    let app = try NannyApp(user: view.account ?? "", rebuiltFrom: view.store)
    do throws(ShareFileError) {
      let plan = try ShareImport(file, into: app, now: view.wall, clock: StampClock())
      return AppAnswer(edits: plan.edits, lines: { plan.report.lines }, members: { _ in plan.report.members })
    } catch {
      throw AppRefusal(error.description)
    }
  }
}

extension ImportReport {
  /// The report as members of a JSON object.
  var members: [JSON.Member] {
    [
      JSON.Member("added", .integer(Int64(added.count))), JSON.Member("updated", .integer(Int64(updated.count))),
      JSON.Member("unchanged", .integer(Int64(unchanged.count))), JSON.Member("refused", Self.json(refused)),
      JSON.Member("keptOut", Self.json(keptOut)), JSON.Member("ended", .integer(Int64(ended.count))),
      JSON.Member("farFutureStamps", .integer(Int64(farFutureStamps))),
    ]
  }

  private static func json(_ notes: [ShareNote]) -> JSON {
    .array(notes.map { ["path": .string($0.path), "reason": .string($0.reason)] })
  }
}
