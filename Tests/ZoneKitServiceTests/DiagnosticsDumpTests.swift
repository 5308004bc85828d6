import ZoneKitRecords
import ZoneKitService
import ZoneKitStorage
import ZoneKitSync
import Testing

@Suite struct DiagnosticsDumpTests {
  private func dump(of world: StoresWorld, device: String? = nil) throws -> DiagnosticsDump {
    try DiagnosticsDump(of: world.data, device: device, version: "0.1.0", at: DumpSample.now)
  }

  /// A world with device A as the sample has it, a device B that is no database, and a zone of one record.
  private func sample() throws -> StoresWorld {
    let world = try StoresWorld()
    try DeviceFile(folder: try world.data.device("A")).commit(DumpSample.transition)
    try Folder.make(try world.data.device("B"))
    try Folder.write(
      Array("this is no database, whatever its name says".utf8), to: try world.data.device("B") + "/device.sqlite")
    try world.save(["N1": "one"])
    return world
  }

  @Test func `a folder that is not there gives an empty dump`() throws {
    let dump = try dump(of: try StoresWorld())
    #expect(!dump.hasErrors)
    #expect(dump.document["devices"] == [])
    #expect(dump.document["traces"] == [])
    #expect(dump.document["cloud"]?["zones"] == [])
    #expect(dump.document["cloud"]?["running"] == false)
    #expect(dump.document["cloud"]?["pushes"]?["made"] == .null)
    #expect(DumpText(dump.document).text.contains("cloud, the server is not running\n"))
  }

  @Test func `a stopped device is read from its file`() throws {
    let document = try dump(of: try sample(), device: "A").document
    let device = try #require(document["devices"]?.array?.first)
    #expect(device["state"] == "notRunning" && device["running"] == false)
    #expect(device["push"]?["lastReceivedAt"] == "2026-08-14T06:31:02.250Z")
    #expect(device["push"]?["drought"] == true)
    #expect(device["push"]?["lastLedToChangeAt"] == .null)
    #expect(device["fetch"]?["tokenAge"] == 2_600)
    #expect(device["send"]?["quarantined"] == [["record": "N2", "reason": "too large"]])
    #expect(device["counts"] == ["Note": 2])
    #expect(device["clock"] == ["offset": 12])
  }

  @Test func `a conflict shows both versions as plain values`() throws {
    let document = try dump(of: try sample(), device: "A").document
    let conflict = try #require(document["devices"]?.array?.first?["conflicts"]?["last"]?.array?.first)
    #expect(conflict["local"] == ["at": "2026-08-14T06:31:05.250Z", "text": "mine"])
    #expect(conflict["server"] == .null)
  }

  @Test func `a trace names its change and the device that it is on`() throws {
    let traces = try #require(try dump(of: try sample(), device: "A").document["traces"]?.array)
    #expect(traces.map { $0["change"] } == ["N2@2", "N1@1"])
    #expect(traces.map { $0["on"] } == ["A", "A"])
    #expect(traces.map { $0["notifiedAt"] } == ["2026-08-14T06:31:02.230Z", .null])
  }

  @Test func `a device that cannot be read is named, and the others are reported`() throws {
    let dump = try dump(of: try sample())
    let devices = try #require(dump.document["devices"]?.array)
    #expect(dump.hasErrors)
    #expect(devices.map { $0["name"] } == ["A", "B"])
    #expect(devices[0]["error"] == nil)
    #expect(devices[1]["error"]?.string?.isEmpty == false)
    #expect(dump.document["cloud"]?["zones"]?.array?.count == 1)
  }

  @Test func `a server that does not answer is named, and its files are read`() throws {
    let world = try sample()
    let lock = try DirectoryLock(world.data.cloud, details: [("http", "unix:\(world.root)/nobody.sock")])
    let cloud = try #require(try dump(of: world, device: "A").document["cloud"])
    #expect(cloud["error"]?.string?.contains("nobody.sock") == true)
    #expect(cloud["zones"]?.array?.count == 1)
    #expect(try dump(of: world, device: "A").hasErrors)
    withExtendedLifetime(lock) {}
  }

  @Test func `a running device that does not answer is read from its file, which is said`() throws {
    let world = try sample()
    let control = "unix:\(world.root)/nobody.sock"
    let lock = try DirectoryLock(try world.data.device("A"), details: [("control", control)])
    let device = try #require(try dump(of: world, device: "A").document["devices"]?.array?.first)
    #expect(device["unanswered"]?.string?.contains("nobody.sock") == true)
    #expect(device["push"]?["received"] == 7)
    withExtendedLifetime(lock) {}
  }

  @Test func `an unknown device is refused with the names of those that are there`() throws {
    let world = try sample()
    let error = try #require(StoresWorld.error { _ = try dump(of: world, device: "C") })
    #expect(error.kind == .input)
    #expect(error.description.contains("there are A, B"))
  }
}
