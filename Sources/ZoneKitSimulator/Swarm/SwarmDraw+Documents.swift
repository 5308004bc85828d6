import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitScenarios

/// Episodes with documents.
extension SwarmDraw {
  /// The newest log that a command on the device made.
  private func log(of device: String) -> RecordReference { .last(of: device, kind: "log") }

  /// A client that knows only the protocol of documents reads one, devices may edit it, and the client pushes its own
  /// change.
  mutating func plainClient(_ app: DeviceApp) -> [ScenarioStep] {
    let (device, other) = twoDevices()
    let log = log(of: device)
    var steps = ready(device) + ready(other) + [write("log lunch on 2026-11-21", on: device)]
    steps += [write("add last P\(number(9)) \(1 + number(90)) g kcal \(number(500))", on: device), wait(6_000...9_000)]
    steps.append(.documents(.read(log)))
    if isHead() {
      steps += [write("add @\(1 + number(3)) Q\(number(9)) 7 g", on: other), write("drop @1 @1", on: device)]
      steps += lines(2, on: other, app) + [wait(0...9_000)]
    }
    steps.append(
      isHead()
        ? .documents(.dropItems(of: log)) : .documents(.set(member: "notes", of: log, .text("P\(number(100))"))))
    if number(3) == 0 { steps.append(.documents(.set(member: "colour", of: log, .text("C\(number(9))")))) }
    steps += [wait(0...6_000)] + lines(1, on: device, app) + [wait(0...6_000), .documents(.push(log))]
    return steps + [wait(0...6_000)] + lines(2, on: other, app) + [wait(0...9_000)]
  }

  /// A newer client writes a member that devices do not know, and an older one changes the document without it.
  mutating func olderClient(_ app: DeviceApp) -> [ScenarioStep] {
    let (device, other) = twoDevices()
    let log = log(of: device)
    var steps = ready(device) + ready(other) + [write("log breakfast on 2026-11-21", on: device), wait(6_000...9_000)]
    steps.append(.documents(.read(log)))
    steps += [.documents(.set(member: "colour", of: log, .text("C\(number(9))"))), .documents(.push(log))]
    if isHead() { steps += lines(2, on: other, app) + [wait(0...9_000)] }
    steps += [.documents(.read(log)), .documents(.omit(member: "colour", of: log)), wait(0...6_000)]
    steps.append(.documents(.set(member: "notes", of: log, .text("P\(number(100))"))))
    return steps + lines(number(2), on: device, app) + [.documents(.push(log)), wait(0...6_000)]
  }

  /// A client that names versions by numbers reads a log, devices edit it, and the client pushes until it is done. It merges
  /// in its own way or not at all, and may make a document that is there.
  mutating func literalClient(_ app: DeviceApp) -> [ScenarioStep] {
    let (device, other) = twoDevices()
    let log = log(of: device)
    var steps = ready(device) + ready(other) + [write("log dinner on 2026-11-21", on: device)]
    steps += [write("add last L\(number(9)) \(1 + number(90)) g kcal \(number(500))", on: device), wait(6_000...9_000)]
    steps.append(.documents(.read(log)))
    for round in 0..<(1 + number(4)) {
      if isHead() {
        steps += [
          write("add @\(1 + number(2)) M\(number(9)) 7 g", on: isHead() ? device : other), wait(0...9_000),
        ]
      }
      if round == 0 || number(3) == 0 {
        steps.append(.documents(.set(member: "notes", of: log, .text("L\(number(100))"))))
      }
      steps += [wait(0...3_000), .documents(number(5) == 0 ? .create(log) : .push(log))]
      switch number(4) {
      case 0: break
      case 1: steps.append(.documents(.push(log)))
      default: steps.append(.documents(.merge(log)))
      }
    }
    return steps + [.documents(.push(log)), .documents(.push(log)), wait(0...6_000)] + lines(2, on: other, app)
  }

  /// Two users edit one item of the same log while they are offline. Their clocks may stand still, so that both edits
  /// have one stamp.
  mutating func sameItem() -> [ScenarioStep] {
    let (device, other) = twoDevices()
    let both = DeviceChoice.named([device, other])
    var steps = ready(device) + ready(other) + [write("log dinner on 2026-11-20", on: device)]
    steps += [write("add last S 20 g kcal 10", on: device), wait(12_000...15_000)]
    steps += [write("edit foodLogs.@1 notes S\(number(50))", on: device), wait(6_000...9_000), .link(.offline(both))]
    let standing = isHead()
    if standing {
      let moment = WallTime(milliseconds: 1_800_003_600_000)
      steps += [device, other].map { .clock(.stands($0, moment)) }
    }
    let edits = ["change @1 @1 kcal \(100 + number(99))", "change @1 @1 name T\(number(9))", "drop @1 @1"]
    steps += [write(edits[number(3)], on: device), wait(standing ? 0...0 : 0...3_000)]
    steps.append(write(edits[number(3)], on: other))
    if number(3) == 0 { steps.append(write("delete foodLogs.@1", on: isHead() ? device : other)) }
    if standing { steps += [device, other].map { .clock(.right($0)) } }
    steps += [.link(.online(.named([device]))), wait(0...4_000), .link(.online(.named([other]))), wait(0...9_000)]
    return steps
  }

  /// A user writes and leaves the app at once, and comes back.
  mutating func leaving(_ app: DeviceApp) -> [ScenarioStep] {
    let device = device()
    let one = DeviceChoice.named([device])
    var steps = ready(device) + lines(1, on: device, app) + [wait(6_000...12_000)] + lines(2, on: device, app)
    steps += [wait(0...400)] + lines(1, on: device, app) + [.life(.background(one)), wait(0...40_000)]
    return steps + [.life(.foreground(one)), wait(0...4_000)]
  }

  /// The server forgets the deletions of documents while a device is away, which may edit what was deleted.
  mutating func purgedDeletions(_ app: DeviceApp) -> [ScenarioStep] {
    let (device, other) = twoDevices()
    var steps = ready(device) + ready(other) + lines(4, on: other, app) + [wait(7_000...12_000)]
    steps += [.link(.offline(.named([device])))] + lines(number(3), on: device, app)
    for _ in 0..<3 { if let line = deletion(app) { steps.append(write(line, on: other)) } }
    steps += [wait(7_000...12_000), .tables(.purge(olderThan: TimeSpan(milliseconds: Int64(number(2)) * 5_000)))]
    steps += lines(number(2), on: other, app) + [wait(0...4_000), .link(.online(.named([device])))]
    return steps + lines(1, on: device, app) + [wait(0...9_000)]
  }

  /// The server loses the documents of an account. A device may be away, and others write before or after.
  mutating func lostDocuments(_ app: DeviceApp) -> [ScenarioStep] {
    let (device, other) = twoDevices()
    var steps = ready(device) + ready(other) + lines(4, on: device, app) + [wait(7_000...12_000)]
    if isHead() { steps += [.link(.offline(.named([other])))] + lines(2, on: other, app) }
    for zone in app.zones { steps.append(.zone(.lose(zone.zoneName.text, of: Self.holder))) }
    steps += lines(number(3), on: device, app) + [wait(0...9_000), .link(.online(.named([other])))]
    return steps + lines(1, on: other, app) + [wait(0...9_000)]
  }
}
