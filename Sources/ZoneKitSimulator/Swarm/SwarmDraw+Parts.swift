import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitScenarios

/// What all draws are made of.
extension SwarmDraw {
  /// Later than any time in a story.
  static let longAfter = WallTime(milliseconds: 1_900_000_000_000)
  /// A day in milliseconds.
  static let day: Int64 = 86_400_000

  /// The name of the device with that number, from 0.
  static func name(of device: Int) -> String {
    let names = ["A", "B", "C", "D", "E", "F", "G", "H"]
    return device < names.count ? names[device] : "D\(device)"
  }

  /// A number from 0 to below the bound.
  mutating func number(_ bound: Int) -> Int { Int(draw() % UInt64(max(1, bound))) }

  mutating func isHead() -> Bool { number(2) == 0 }

  mutating func oneOf<Element>(_ elements: [Element]) -> Element { elements[number(elements.count)] }

  mutating func time(_ range: ClosedRange<Int64>) -> Int64 {
    range.lowerBound + Int64(draw() % UInt64(range.upperBound - range.lowerBound + 1))
  }

  mutating func span(_ range: ClosedRange<Int64>) -> TimeSpan { TimeSpan(milliseconds: time(range)) }

  mutating func wait(_ range: ClosedRange<Int64>) -> ScenarioStep { .wait(span(range)) }

  mutating func device() -> String { oneOf(devices) }

  /// A device, and the next one.
  mutating func twoDevices() -> (String, String) {
    let first = number(devices.count)
    return (devices[first], devices[(first + 1) % devices.count])
  }

  mutating func zoneName(_ app: DeviceApp) -> String { oneOf(app.zones).zoneName.text }

  /// A command of the app; nil if it has no random ones.
  mutating func line(_ app: DeviceApp) -> String? { app.simulation.randomLine?({ draw() }) }

  func write(_ line: String, on device: String) -> ScenarioStep { .app(.perform(.named([device]), line)) }

  mutating func lines(_ count: Int, on device: String, _ app: DeviceApp) -> [ScenarioStep] {
    (0..<count).compactMap { _ in line(app) }.map { write($0, on: device) }
  }

  /// A command of the app that deletes something, if a few attempts draw one.
  mutating func deletion(_ app: DeviceApp) -> String? {
    for _ in 0..<60 { if let line = line(app), line.hasPrefix("delete") { return line } }
    return nil
  }

  /// A part of the cloud's disk that matters to the app.
  mutating func cloudDisk(_ app: DeviceApp) -> CloudDisk { app.hasTables ? oneOf(CloudDisk.allCases) : .all }

  /// Steps that end everything that keeps a device from the cloud, so that an episode can happen.
  func ready(_ device: String) -> [ScenarioStep] {
    let one = DeviceChoice.named([device])
    return [
      .cloud(.behave), .disk(.hasRoom(device)), .link(.set(one, Link())), .life(.start(.device(device))),
      .link(.online(one)),
    ]
  }
}
