import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitScenarios

/// Episodes with damage to what the cloud and devices have stored.
extension SwarmDraw {
  mutating func damagedRecord(_ app: DeviceApp) -> [ScenarioStep] {
    let (device, other) = twoDevices()
    let damaged = RecordReference.last(of: device, kind: "record")
    var steps = ready(device) + ready(other) + lines(3, on: device, app) + [wait(3_000...9_000)]
    steps.append(.damage(.damageRecord(damaged, of: Self.holder)))
    steps += lines(2, on: device, app) + lines(2, on: other, app) + [wait(0...20_000)]
    return steps + (isHead() ? [.damage(.repairCloud), wait(0...9_000)] : [])
  }

  mutating func tornCommits(_ app: DeviceApp) -> [ScenarioStep] {
    let (device, other) = twoDevices()
    var steps = ready(device) + ready(other) + lines(3, on: device, app) + lines(2, on: other, app)
    steps += [wait(0...6_000), .damage(.loseCommits(1 + number(3), zoneName(app), of: Self.holder))]
    return steps + lines(2, on: other, app) + [wait(0...9_000)]
  }

  mutating func restoredZone(_ app: DeviceApp) -> [ScenarioStep] {
    let (device, other) = twoDevices()
    let zone = zoneName(app)
    var steps = ready(device) + ready(other) + [wait(0...6_000), .damage(.backUpZone(zone, of: Self.holder))]
    steps += lines(4, on: device, app) + [wait(0...6_000)] + lines(2, on: other, app) + [wait(0...6_000)]
    let restoring = ScenarioStep.damage(.restoreZone(zone, of: Self.holder))
    steps += isHead() ? [restoring] : [.life(.kill(.cloud)), restoring, wait(0...3_000), .life(.start(.cloud))]
    return steps + lines(2, on: device, app) + [wait(0...9_000)]
  }

  mutating func damagedTokens(_ app: DeviceApp) -> [ScenarioStep] {
    let (device, other) = twoDevices()
    let kind = oneOf(TokenKind.allCases)
    var steps = ready(device) + ready(other) + [wait(3_000...6_000), .link(.offline(.named([device])))]
    steps += lines(3, on: other, app) + lines(2, on: device, app) + [wait(0...4_000)]
    return steps + [.damage(.damageTokens(kind, of: device)), .link(.online(.named([device]))), wait(0...9_000)]
  }

}
