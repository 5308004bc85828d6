import Glibc
import Testing
import ZoneKitEventLoop
import ZoneKitRecords
import ZoneKitScenarios
import ZoneKitService
import ZoneKitStorage
import ZoneKitWire

@testable import ZoneKitProcesses
@testable import ZoneKitSimulator

/// The administration client over a real server, which is a process of its own.
@Suite(.serialized) struct AdminClientTests {
  /// A server over an empty folder, and a client of it.
  private final class Rig {
    let waiter: EventWaiter
    let admin: AdminClient
    private let folder: String
    private let server: ChildProcess

    init(limits: Limits = Limits()) throws {
      waiter = try EventWaiter()
      folder = try Folder.makeTemporary()
      let address = Address.unix(path: "\(folder)/http")
      var isReady = false
      server = try ChildProcess(
        "the server", program: Self.program(),
        ["serve", "--data", folder, "--http", "\(address)", "--push", "unix:\(folder)/push"], on: waiter
      ) { if $0["event"] == "ready" { isReady = true } }
      admin = AdminClient(at: address, app: ItemsApp.app, limits: limits, on: waiter)
      let time = try waiter.wait(atMost: 20_000) { () throws(ProcessFailure) in isReady || server.hasEnded }
      #expect(time != nil)
    }

    /// `zonekit`, which is built beside the program of the tests.
    private static func program() throws -> String {
      var buffer = [CChar](repeating: 0, count: 4096)
      let count = readlink("/proc/self/exe", &buffer, buffer.count)
      let path = String(decoding: buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
      let folder = path.split(separator: "/").dropLast().joined(separator: "/")
      return "/\(folder)/zonekit"
    }

    /// The faults of the server's plan.
    func plan() throws -> [Fault] {
      try FaultDocument(try admin.send("GET", "/zonekit/faults")).faults
    }

    func end() {
      server.end(with: SIGTERM)
      waiter.close()
      try? Folder.remove(folder)
    }
  }

  /// What both players are asked to do: every sentence about faults of the cloud, and those that end one.
  private static let lines: [String] = {
    let sections = LanguageReference().sections.filter { ["The cloud", "Faults of requests"].contains($0.title) }
    let examples = sections.flatMap(\.entries).map(\.example).filter { line in
      !["expire", "loses the subscription", "mutes", "doubles", "disk"].contains { line.contains($0) }
    }
    return examples.map { $0.replacing("A's last action", with: "record x") }
  }()

  private static func scenario(_ lines: [String]) throws -> Scenario {
    try Scenario(
      parsing: "scenario \"s\"\napp Items\ndevices A, B signed in as nanny\n" + lines.joined(separator: "\n") + "\n")
  }

  /// A player in virtual time that has played those lines.
  private static func played(_ lines: some Sequence<String>) throws -> ScenarioPlayer {
    var player = try ScenarioPlayer(
      try scenario(Array(lines)), apps: [ItemsApp.app])
    #expect(player.play().end == .held)
    return player
  }

  @Test func `each step about the cloud makes the same plan in virtual time and on a server`() throws {
    let rig = try Rig()
    defer { rig.end() }
    for (index, line) in Self.lines.enumerated() {
      guard case .cloud(let step)? = try Self.scenario([line]).steps.first?.step else { continue }
      try rig.admin.perform(try step.effect(in: try Self.played(Self.lines.prefix(index))))
      let plan = try Self.played(Self.lines.prefix(index + 1)).world.cloud.process.faults.entries.map(\.fault)
      #expect(try rig.plan() == plan, "\(line)")
    }
    #expect(Self.lines.count > 20)
  }

  @Test func `what is taken back must be there`() throws {
    let rig = try Rig()
    defer { rig.end() }
    let failure = #expect(throws: ProcessFailure.self) {
      try rig.admin.perform(.remove(named: "full", otherwise: "it is not full"))
    }
    #expect(failure == .refused("it is not full"))
    try rig.admin.perform(.add(Fault(.loseAnswer, name: "full")))
    try rig.admin.perform(.remove(named: "full", otherwise: "it is not full"))
    #expect(try rig.plan() == [])
  }

  @Test func `a fault keeps what is left of it when another is added`() throws {
    let rig = try Rig()
    defer { rig.end() }
    let busy = CloudError(.zoneBusy, "busy")
    try rig.admin.perform(.add(Fault(.refuse(busy), on: FaultScope(.listSubscriptions), name: "three", times: 3)))
    let failure = #expect(throws: ProcessFailure.self) { try rig.admin.ask(.listSubscriptions, as: "nanny") }
    #expect(failure?.kind == .unavailable)
    try rig.admin.perform(.add(Fault(.loseAnswer, name: "other")))
    #expect(try rig.plan().map(\.times) == [2, nil])
    #expect(try rig.plan().map(\.name) == ["three", "other"])
  }

  @Test func `an administrator's deeds and ordinary requests reach the database of the account`() throws {
    let rig = try Rig()
    defer { rig.end() }
    let zone = ZoneID(zoneName: "Items")
    try rig.admin.perform(.ask(.modifyZones([.create(zone)]), account: "nanny"))
    try rig.admin.perform(.administer(.purgeZone(zone), account: "nanny"))
    guard case .zones(let zones) = try rig.admin.ask(.lookupZones([zone]), as: "nanny"), zones.count == 1,
      case .failed(_, let error) = zones[0]
    else {
      Issue.record("a purged zone is looked up as a failure")
      return
    }
    #expect(error.code == .userDeletedZone)
    let failure = #expect(throws: ProcessFailure.self) {
      try rig.admin.perform(.administer(.dropSubscription("none"), account: "nanny"))
    }
    #expect(failure?.kind == .refused)
  }

  @Test func `limits last when all faults end`() throws {
    var limits = Limits()
    limits.subscriptionIndexDelay = 1_234
    let rig = try Rig(limits: limits)
    defer { rig.end() }
    try rig.admin.setLimits()
    try rig.admin.perform(.add(Fault(.loseAnswer)))
    try rig.admin.perform(.removeAll)
    let document = try rig.admin.send("GET", "/zonekit/faults")
    #expect(document["faults"] == [])
    #expect(document["limits"]?["subscriptionIndexDelay"] == 1_234)
  }

  @Test func `what the server does not understand is refused with its reason`() throws {
    let rig = try Rig()
    defer { rig.end() }
    let failure = #expect(throws: ProcessFailure.self) { try rig.admin.addFaults([["do": "nothing"]]) }
    #expect(failure?.kind == .refused)
    #expect(failure?.message.contains("do must be refuse") == true)
  }
}
