import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitScenarios

/// Episodes with zones that go while devices are away.
extension SwarmDraw {
  /// A zone is lost or its keys are, and a device that was away makes it anew before the one with the latest records comes
  /// back.
  mutating func laggingRemake(_ app: DeviceApp) -> [ScenarioStep] {
    let (device, other) = twoDevices()
    var steps = ready(device) + ready(other) + lines(3, on: device, app) + [wait(4_000...9_000)]
    steps.append(.link(.offline(.named([other]))))
    steps += lines(3, on: device, app) + [wait(4_000...9_000), .link(.offline(.named([device])))]
    let isReset = number(3) == 0
    for zone in app.zones {
      let name = zone.zoneName.text
      steps.append(
        .zone(isReset ? .resetKeys(name, of: Self.holder) : .lose(name, of: Self.holder)))
    }
    steps += [.link(.online(.named([other])))] + lines(1, on: other, app) + [wait(2_000...6_000)]
    return steps + lines(number(2), on: device, app) + [.link(.online(.named([device]))), wait(0...9_000)]
  }

  /// The user removes the app's data while a device is away, and writes on: on a device that knows of it, and on the one
  /// that was away.
  mutating func writingAfterPurge(_ app: DeviceApp) -> [ScenarioStep] {
    let (device, other) = twoDevices()
    var steps = ready(device) + ready(other) + lines(3, on: device, app) + [wait(4_000...9_000)]
    steps += [.link(.offline(.named([other])))] + lines(number(3), on: other, app)
    for zone in app.zones { steps.append(.zone(.purge(zone.zoneName.text, of: Self.holder))) }
    steps.append(wait(1_000...4_000))
    if isHead() { steps += lines(2, on: device, app) + [wait(0...4_000)] }
    steps += lines(1 + number(2), on: other, app) + [.link(.online(.named([other]))), wait(0...6_000)]
    return steps + lines(2, on: isHead() ? device : other, app) + [wait(0...9_000)]
  }

  /// The file of a zone is replaced by an older copy, and a device deletes records before it hears of that. Others may be
  /// away then.
  mutating func unheardDeletion(_ app: DeviceApp) -> [ScenarioStep] {
    let (device, other) = twoDevices()
    let zone = zoneName(app)
    var steps = ready(device) + ready(other) + lines(2, on: device, app) + [wait(2_000...6_000)]
    steps.append(.damage(.backUpZone(zone, of: Self.holder)))
    steps += lines(3, on: other, app) + [wait(4_000...9_000)]
    if isHead() { steps.append(.link(.offline(.named([other])))) }
    steps.append(.damage(.restoreZone(zone, of: Self.holder)))
    for _ in 0..<2 { if let line = deletion(app) { steps.append(write(line, on: device)) } }
    return steps + [wait(0...6_000), .link(.online(.named([other]))), wait(0...9_000)]
  }
}
