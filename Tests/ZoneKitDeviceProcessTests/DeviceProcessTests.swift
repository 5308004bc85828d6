import Testing
import ZoneKitDeviceHost
import ZoneKitDeviceProcess
import ZoneKitMemoryStores
import ZoneKitRecords
import ZoneKitSwissCoin
import ZoneKitSync
import ZoneKitTableClient
import ZoneKitTables

@Suite struct `the process of a device` {
  private static let account = UUID(high: 1, low: 2)
  private var device: TestDevice

  init() throws {
    device = try TestDevice()
    try device.start(
      account: Name(Self.account.text),
      session: StoredSession(account: Self.account, email: "mara@example.test", refresh: "r1"))
  }

  /// The process gets that message. Returns what it asks for.
  private mutating func receive(_ message: DeviceMessage) throws -> [DeviceEffect] {
    guard let message = device.process.arrived(message) else { return [] }
    device.process.receive(message, at: device.now)
    return try device.effects()
  }

  /// The session is refreshed, so that the coordinator's request is sent.
  private mutating func refresh(_ asked: [DeviceEffect]) throws -> [DeviceEffect] {
    let id = try #require(asked.compactMap { if case .askAccount(let id, _, _) = $0 { id } else { nil } }.first)
    let tokens = SessionTokens(access: "a1", refresh: "r2", life: 3_600_000)
    let grant = AccountGrant(account: Self.account, email: "mara@example.test", tokens: tokens)
    return try receive(.account(id, .session(grant)))
  }

  private func asksForRows(_ effects: [DeviceEffect]) -> Bool {
    effects.contains { if case .askRows = $0 { true } else { false } }
  }

  @Test mutating func `a request that was lost with the link is not under way when the link is back`() throws {
    #expect(asksForRows(try refresh(try device.effects())))
    _ = try receive(.linkChanged(isOnline: false))
    device.milliseconds += 1_000
    let after = try receive(.linkChanged(isOnline: true))
    #expect(asksForRows(after))
    #expect(!after.contains { if case .requestAbandoned = $0 { true } else { false } })
  }

  @Test mutating func `a suspended process learns of its link when it resumes`() throws {
    _ = try refresh(try device.effects())
    device.process.suspend(at: device.now)
    _ = try device.effects()
    device.process.linkChanged(isOnline: false, at: device.now)
    #expect(try device.effects().isEmpty)
    #expect(!device.process.hasLink)
    #expect(device.process.isOnline)
    device.process.enteredForeground(at: device.now)
    for case .resumed(let messages) in try device.effects() { for message in messages { _ = try receive(message) } }
    #expect(!device.process.isOnline)
  }
}
