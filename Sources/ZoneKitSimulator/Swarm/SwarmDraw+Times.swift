import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitScenarios

/// Episodes with clocks that are days off, and with faults that last a time.
extension SwarmDraw {
  /// The clock of a device is days ahead or behind. Its user and another one edit the same records in turn, then the clock
  /// is set right.
  mutating func skewedClock(_ app: DeviceApp) -> [ScenarioStep] {
    let (device, other) = twoDevices()
    let days = Int64(1 + number(10)) * (isHead() ? 1 : -1)
    var steps = ready(device) + ready(other) + lines(2, on: other, app) + [wait(3_000...9_000)]
    steps.append(.clock(.offset(device, milliseconds: days * Self.day)))
    for _ in 0..<(1 + number(3)) {
      let line = lines(1, on: device, app)
      steps += line + [wait(0...6_000)]
      // The same command on the other device, mostly after it has seen the first one.
      steps += lines(1, on: other, app) + [wait(0...6_000)]
    }
    if number(3) == 0 {
      steps += [.clock(.offset(other, milliseconds: -days * Self.day))] + lines(2, on: other, app)
    }
    if isHead() { steps.append(.clock(.right(device))) }
    return steps + lines(2, on: device, app) + [wait(0...6_000)] + lines(2, on: other, app) + [wait(0...9_000)]
  }

  /// The cloud refuses to read a zone, or to save its records, until the fault ends, and mostly says when to ask again.
  mutating func timedRefusal(_ app: DeviceApp) -> [ScenarioStep] {
    let (device, other) = twoDevices()
    let zone = zoneName(app)
    let retry = number(4) == 0 ? nil : TimeSpan(milliseconds: Int64(5 + number(60)) * 1_000)
    let code: CloudErrorCode = oneOf([.zoneBusy, .serviceUnavailable, .requestRateLimited])
    let operation: CloudOperation = oneOf([.save, .zoneFetch])
    var steps = ready(device) + ready(other) + lines(1, on: device, app) + [wait(3_000...6_000)]
    steps.append(
      .cloud(.refuseItems(.every, operation, of: nil, named: nil, zone: zone, code, retryAfter: retry)))
    for _ in 0..<(1 + number(3)) {
      steps += lines(1, on: device, app) + lines(1, on: other, app) + [wait(500...20_000)]
    }
    if number(3) == 0 { steps.append(.app(.sync(.named([device])))) }
    steps += [wait(0...60_000), .cloud(.behave), wait(0...9_000)] + lines(1, on: other, app)
    // A device asks again when the retry time is over, and not before.
    return steps + [.wait(retry ?? TimeSpan(milliseconds: 0)), wait(3_000...6_000)]
  }
}
