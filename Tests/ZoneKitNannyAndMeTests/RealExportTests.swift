import Foundation
import ZoneKitNannyAndMe
import ZoneKitRecords
import Testing

/// The three months of example data, which lie outside the package: in the folder that `ZONEKIT_SHARED` names, or
/// beside the package in `shared`.
private let exportFile: URL = {
  let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  let shared = ProcessInfo.processInfo.environment["ZONEKIT_SHARED"].map { URL(filePath: $0) }
  return (shared ?? package.deletingLastPathComponent().appending(path: "shared"))
    .appending(path: "data/nannyandme-export.json")
}()

@Suite(
  .enabled(if: FileManager.default.isReadableFile(atPath: exportFile.path), "needs shared/data; see ZONEKIT_SHARED"))
struct RealExportTests {
  /// The file with the stamp of the file put in where an action of an old app version has none: all that an export
  /// adds.
  private static func stamped(_ text: String, exportedAt: WallTime) -> String {
    let line = "\n    \"updatedAt\": \"\(exportedAt.iso8601Seconds)\""
    let actions = text.components(separatedBy: "\n   {").map { action -> String in
      guard !action.contains("\"updatedAt\""), let end = action.range(of: "\n   }") else { return action }
      return action.replacingCharacters(in: end, with: ",\(line)\n   }")
    }
    return actions.joined(separator: "\n   {")
  }

  @Test func `three months go in, on to another device, and out again as they were`() throws {
    let text = try String(contentsOf: exportFile, encoding: .utf8)
    let file = try ShareFile(parsing: Array(text.utf8))
    var device = try TestDevice()
    let plan = try device.importing(text)
    #expect(plan.report.added.count == file.entries.count + 1)
    #expect(plan.report.refused.isEmpty)
    #expect(plan.report.keptOut.isEmpty)
    #expect(try device.importing(text).edits.isEmpty)
    var other = try TestDevice()
    try other.save(plan.edits)
    #expect(try other.exported(at: file.exportedAt) == Self.stamped(text, exportedAt: file.exportedAt))
  }
  @Test func `three months imported on one device arrive whole on the other through the cloud`() throws {
    let text = try String(contentsOf: exportFile, encoding: .utf8)
    var family = try Family()
    try family.importing(text, on: 0)
    try family.settle()
    #expect(try family.exported(on: 1) == family.exported(on: 0))
    #expect(family.devices[1].app == family.devices[0].app)
    let requests = family.requestCount
    #expect(try family.importing(text, on: 1).unchanged.count == family.devices[1].app.log.list().count + 1)
    try family.settle()
    #expect(family.requestCount == requests)
  }
}
