import Testing
import ZoneKitCloud
import ZoneKitRecords
import ZoneKitSync

@testable import ZoneKitStorage

/// A device over a file that syncs with a cloud. Each commit of its store is a step.
final class DeviceStory {
  private static let zone = ZoneID(zoneName: "Notes")

  private let folder: String
  private let durability: Durability
  private let acknowledge: (Int) -> Void
  private var cloud: CloudStory
  private var coordinator: SyncCoordinator<ObservedDeviceStore>?
  private var generator = SplitMix64(seed: 3)
  private var now = Moment(
    wall: WallTime(milliseconds: 1_700_000_000_000), monotonic: MonotonicTime(milliseconds: 0))
  private var pushes = 0
  /// The content after each step.
  private(set) var contents: [FileContent] = []
  /// The number of steps before the last time when the file was closed.
  private(set) var closedSteps = 0

  /// The device in that folder, with a cloud in another one. `acknowledge` is called with the number of each step.
  init(
    folder: String, cloud: String, durability: Durability, acknowledge: @escaping (Int) -> Void
  ) throws {
    self.folder = folder
    self.durability = durability
    self.acknowledge = acknowledge
    self.cloud = try CloudStory(root: cloud)
  }

  /// The story: everything that changes the file of a device.
  func tell() throws {
    try launch()
    try edit(save("a", "1"), save("b", "1"))
    try sync()
    try otherEdits("a", "theirs")
    try edit(save("a", "mine"), save("c", String(repeating: "x", count: 5_000)))
    try push()
    try sync()
    try copyWAL()
    try edit(.delete(id("b")))
    try edit(save("c", "2"))
    try edit(save("d", "1"), save("e", "1"))
    try sync()
    try relaunch()
    for number in 0..<12 { try otherEdits(Name("n\(number)"), String(repeating: "y", count: 900)) }
    try push()
    try sync()
    try edit(save("f", "1"))
    try edit(save("a", "again"))
    try copyWAL()
    try edit(save("g", "1"))
    try sync()
    try step { (coordinator, now, generator) in
      try coordinator.reset(.local(keepingPending: false), at: now, using: &generator)
    }
    try sync()
    coordinator = nil
  }

  // MARK: The device

  private func launch() throws {
    let file = try DeviceFile(folder: folder, durability: durability)
    var configuration = CoordinatorConfiguration(mergePolicy: MergePolicy { _ in Resolution(.keepLocal, rule: "mine") })
    configuration.pushes.removesExtraSubscriptions = false
    coordinator = try SyncCoordinator(
      store: ObservedDeviceStore(file: file) { [unowned self] in
        contents.append(try FileContent(of: file.connection))
        acknowledge(contents.count - 1)
      }, configuration: configuration)
    try step { (coordinator, now, generator) in
      try coordinator.launch(account: "nanny", at: now, using: &generator)
    }
  }

  private func relaunch() throws {
    coordinator = nil
    closedSteps = contents.count
    try launch()
  }

  private func copyWAL() throws { try coordinator?.store.file.connection.checkpoint() }

  private func id(_ name: Name) -> RecordID { RecordID(recordName: name, zoneID: Self.zone) }

  private func save(_ name: Name, _ text: String) -> RecordEdit {
    .save(
      id(name), type: "Note", fields: Fields([Field(name: "text", value: .string(text))]), parent: nil,
      stamping: .now)
  }

  private func edit(_ edits: RecordEdit...) throws {
    try step { (coordinator, now, generator) in try coordinator.edit(edits, at: now, using: &generator) }
  }

  private func push() throws {
    pushes += 1
    var push = PushNotification(subject: .database, notificationID: "push\(pushes)")
    push.subscriptionID = "zonekit-database-changes"
    push.container = CloudStory.nanny.container
    push.committedAt = now.wall
    push.sentAt = now.wall
    try step { [push] (coordinator, now, generator) in coordinator.receivedPush(push, at: now, using: &generator) }
  }

  /// Syncs until nothing is left to do for some time.
  private func sync() throws {
    try step { (coordinator, now, generator) in
      coordinator.requestSyncIfNeeded(reason: .manual, at: now, using: &generator)
    }
    for _ in 0..<20 {
      guard let due = coordinator?.nextDeadline, due < now.monotonic.advanced(byMilliseconds: 10_000) else { return }
      now.wall = now.wall.advanced(byMilliseconds: max(0, due.milliseconds - now.monotonic.milliseconds))
      now.monotonic = max(now.monotonic, due)
      try step { (coordinator, now, generator) in coordinator.tick(at: now, using: &generator) }
    }
  }

  /// Passes an event to the coordinator, and the answers to all requests that follow.
  private func step(
    _ event: (inout SyncCoordinator<ObservedDeviceStore>, Moment, inout SplitMix64) throws -> [Effect]
  ) throws {
    guard var device = coordinator else { return }
    coordinator = nil
    defer { coordinator = device }
    var effects = try event(&device, now, &generator)
    while !effects.isEmpty {
      switch effects.removeFirst() {
      case .send(let id, let request):
        let answer = cloud.answers([(request, CloudStory.nanny)])[0]
        effects += device.received(id, .success(answer), at: now, using: &generator)
      case .remoteChange, .fact: break
      }
    }
  }

  // MARK: The other device

  private func otherEdits(_ name: Name, _ text: String) throws {
    let field = NamedFieldChange("text", .set(.string(text), isTyped: true, isEncrypted: false))
    let save = RecordOperation(.forceReplace, recordName: name, recordType: "Note", fields: [field])
    let batch = ModifyRecords(zoneID: Self.zone, operations: [save], isAtomic: false)
    #expect(cloud.answers([(.modifyRecords(batch), CloudStory.nanny)])[0].problem == nil)
  }
}
