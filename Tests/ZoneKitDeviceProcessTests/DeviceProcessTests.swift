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
  private typealias Process = DeviceProcess<MemoryDeviceStore, SplitMix64>

  private static let account = UUID(high: 1, low: 2)
  private var process: Process
  private var milliseconds: Int64 = 0

  init() throws {
    let app = DeviceApp.swissCoin
    process = try Process(
      app: app, store: MemoryDeviceStore(), configuration: app.configuration, generator: SplitMix64(seed: 1),
      life: DeviceLife())
    try process.open()
    try process.start(
      account: Name(Self.account.text),
      session: StoredSession(account: Self.account, email: "mara@example.test", refresh: "r1"),
      at: MonotonicTime(milliseconds: 0))
  }

  private var moment: Moment {
    Moment(
      wall: WallTime(milliseconds: 1_800_000_000_000 + milliseconds),
      monotonic: MonotonicTime(milliseconds: milliseconds))
  }

  /// What the process asks for until it has nothing to do. Its edits are written.
  private mutating func effects() throws -> [DeviceEffect] {
    var effects: [DeviceEffect] = []
    while process.depth > 0 {
      guard let effect = process.next(at: moment) else { continue }
      effects.append(effect)
      if case .edit(let edit) = effect { try process.edit(edit.edits, setting: edit.values, at: moment) }
    }
    return effects
  }

  /// The process gets that message. Returns what it asks for.
  private mutating func receive(_ message: DeviceMessage) throws -> [DeviceEffect] {
    guard let message = process.arrived(message) else { return [] }
    process.receive(message, at: moment.monotonic)
    return try effects()
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
    #expect(asksForRows(try refresh(try effects())))
    _ = try receive(.linkChanged(isOnline: false))
    milliseconds += 1_000
    let after = try receive(.linkChanged(isOnline: true))
    #expect(asksForRows(after))
    #expect(!after.contains { if case .requestAbandoned = $0 { true } else { false } })
  }

  @Test mutating func `a suspended process learns of its link when it resumes`() throws {
    _ = try refresh(try effects())
    process.suspend(at: moment.monotonic)
    _ = try effects()
    process.linkChanged(isOnline: false, at: moment.monotonic)
    #expect(try effects().isEmpty)
    #expect(!process.hasLink)
    #expect(process.isOnline)
    process.enteredForeground(at: moment.monotonic)
    for case .resumed(let messages) in try effects() { for message in messages { _ = try receive(message) } }
    #expect(!process.isOnline)
  }
}
