import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSync

extension DeviceApp.Interchange {
  /// NannyAndMe's file format. Each file has one profile.
  static var nannyAndMe: DeviceApp.Interchange {
    DeviceApp.Interchange(check: check, merge: merge) { selection, view in
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
