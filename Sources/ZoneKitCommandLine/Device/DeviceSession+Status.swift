import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitService
import ZoneKitWire

extension DeviceSession {
  /// Prints the status of the device, as text or as JSON.
  func status(_ line: String, asJSON: Bool) throws {
    let diagnostics = try client.diagnostics()
    var report = try client.report(diagnostics)
    var lines = [asJSON ? report.text() : DumpText(ofDevice: report, at: client.clock.now.wall).text]
    if client.timeZone != .utc {
      report = .object((report.object ?? []) + [JSON.Member("timezone", .string(client.timeZone.name))])
      lines = asJSON ? [report.text()] : lines + ["time zone \(client.timeZone)"]
    }
    if app.hasSyncLine {
      let line = client.process.syncLine(diagnostics, at: client.clock.now.wall)
      report = .object(
        [JSON.Member("sync", ["icon": .string(line.icon), "text": .string(line.text)])] + (report.object ?? []))
      lines = asJSON ? [report.text()] : [line.text] + lines
    }
    printer.answer(line, [JSON.Member("status", report)], lines: lines)
  }
}
