import ZoneKitScenarios
import ZoneKitDeviceHost
import ZoneKitRecords

/// Episodes of all apps.
extension SwarmDraw {
  mutating func family(_ app: DeviceApp) -> [ScenarioStep] {
    guard let lines = app.simulation.familyLines?(number(1_000)) else { return [] }
    let device = device()
    let refusal = CloudStep.items(
      of: .save, named: lines.id.recordName.text, .invalidArguments, .next(1 + number(2)))
    return [
      .cloud(refusal), write(lines.parent, on: device), write(lines.child, on: device), wait(500...8_000),
      write(lines.edit, on: device), wait(0...3_000),
    ]
  }

  mutating func absence(_ app: DeviceApp) -> [ScenarioStep] {
    let (device, other) = twoDevices()
    var steps: [ScenarioStep] = ready(device) + ready(other) + lines(4, on: other, app)
    steps += [wait(4_000...9_000), .link(.offline(.named([device])))]
    for _ in 0..<3 { if let line = deletion(app) { steps.append(write(line, on: other)) } }
    steps.append(wait(4_000...9_000))
    for zone in app.zones {
      steps.append(.zone(.forgetDeletions(zone.zoneName.text, of: Self.holder, before: Self.longAfter)))
    }
    return steps + [wait(0...4_000), .link(.online(.named([device]))), wait(0...6_000)]
  }

  mutating func fullDisk(_ app: DeviceApp) -> [ScenarioStep] {
    let device = device()
    let disk = cloudDisk(app)
    return ready(device) + [.cloud(.fullDisk(disk, true))] + lines(3, on: device, app)
      + [wait(500...5_000), .cloud(.fullDisk(disk, false))]
  }

  mutating func unreadableDisk(_ app: DeviceApp) -> [ScenarioStep] {
    let (device, other) = twoDevices()
    var steps: [ScenarioStep] = ready(device) + ready(other) + lines(2, on: device, app) + [wait(0...9_000)]
    steps.append(.cloud(.unreadableDisk(true)))
    if isHead() { steps.append(.life(.killFor(.cloud, TimeSpan(milliseconds: Int64(number(4_000)))))) }
    steps += lines(2, on: device, app) + [wait(0...20_000), .cloud(.unreadableDisk(false)), wait(0...3_000)]
    return steps + lines(2, on: other, app) + [wait(0...9_000)]
  }

  mutating func failedZone(_ app: DeviceApp) -> [ScenarioStep] {
    let zone = zoneName(app)
    let code: CloudErrorCode = isHead() ? .zoneBusy : .internalError
    let fault = CloudStep.items(of: .zoneFetch, in: zone, code, .next(1 + number(devices.count)))
    let start = devices.flatMap(ready)
    return start + [wait(3_000...6_000), .cloud(fault)] + lines(4, on: device(), app) + [wait(1_000...6_000)]
  }

  mutating func refusedCheck() -> [ScenarioStep] {
    let device = device()
    let fault = CloudStep.answer(.next(1), .namedSubscriptionLookup, of: nil, .permissionFailure, retryAfter: nil)
    return ready(device) + [
      .cloud(fault), .life(.kill(.device(device))), wait(0...2_000), .life(.start(.device(device))),
      wait(1_000...4_000),
    ]
  }

  mutating func correction(_ app: DeviceApp) -> [ScenarioStep] {
    guard let lines = app.simulation.familyLines?(number(1_000)) else { return [] }
    let device = device()
    let refusal: CloudStep =
      isHead()
      ? .answer(.next(1), .save, of: nil, .limitExceeded, retryAfter: nil)
      : .items(of: .save, named: lines.id.recordName.text, .invalidArguments, .next(1))
    return ready(device) + [
      wait(3_000...6_000), write(lines.parent, on: device), wait(2_000...4_000), .cloud(refusal),
      write(lines.edit, on: device), wait(0...60),
      write(isHead() ? lines.deletion : lines.parent, on: device), wait(0...6_000),
    ]
  }

  mutating func refusedToken(_ app: DeviceApp) -> [ScenarioStep] {
    let (device, other) = twoDevices()
    let operation: CloudOperation = isHead() ? .tokenCreation : .tokenRegistration
    let refusal = CloudStep.answer(.next(1 + number(3)), operation, of: nil, .permissionFailure, retryAfter: nil)
    return ready(device) + ready(other) + lines(3, on: other, app) + [
      wait(0...4_000), .cloud(refusal), .reset(.local(device, keepingPending: true)), wait(0...4_000),
    ] + lines(3, on: other, app) + [wait(1_000...6_000)]
  }

  mutating func unconfirmed(_ app: DeviceApp) -> [ScenarioStep] {
    guard let lines = app.simulation.familyLines?(number(1_000)) else { return [] }
    let (device, other) = twoDevices()
    return ready(device) + ready(other) + [
      wait(4_000...6_000), .cloud(.loseAnswer(.next(1), .save, of: nil)), write(lines.parent, on: device),
      wait(300...700), .link(.offline(.named([device]))), wait(2_000...4_000), write(lines.edit, on: other),
      wait(1_000...2_000), write(lines.deletion, on: device), .link(.online(.named([device]))), wait(0...3_000),
    ]
  }
}
