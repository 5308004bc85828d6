import ZoneKitMemoryStores
import ZoneKitScenarios
import ZoneKitRecords
import ZoneKitSimulator
import ZoneKitSync

/// A random story of edits and trouble, and what it remembers of the edits.
struct RandomStory {
  var world: World
  private var generator: SplitMix64
  /// Every value that an edit wrote, and whether somebody who saw it replaced or deleted it since.
  private var values: [String: Bool] = [:]
  private var count = 0
  /// How many facts of each device were looked at.
  private var factsSeen: [Int: Int] = [:]
  private var usesTwoZones = false

  init(seed: UInt64) throws {
    var options = SplitMix64(seed: seed &* 977)
    generator = SplitMix64(seed: seed)
    var configuration = CoordinatorConfiguration.items
    configuration.limits.page = Int.random(in: 1...4, using: &options)
    configuration.limits.batch = Int.random(in: 1...4, using: &options)
    configuration.limits.isAtomic = Bool.random(using: &options)
    world = try World(
      devices: Int.random(in: 2...3, using: &options), seed: seed, configuration: configuration,
      launches: Bool.random(using: &options))
    var link = Link()
    link.up.loss = [0, 100, 300].randomElement(using: &options) ?? 0
    link.down.loss = [0, 100, 300].randomElement(using: &options) ?? 0
    link.push.loss = [0, 300, 1_000].randomElement(using: &options) ?? 0
    link.push.duplication = [0, 500].randomElement(using: &options) ?? 0
    for index in world.devices.indices {
      world.start(index)
      world.links[index] = link
    }
    world.setDelay(1...([20, 500, 3_000].randomElement(using: &options) ?? 20))
    usesTwoZones = Bool.random(using: &options)
  }

  mutating func run(steps: Int) throws {
    for _ in 0..<steps {
      try step(device: Int.random(in: 0..<world.devices.count, using: &generator))
      world.wait(Int64.random(in: 0...4_000, using: &generator))
      for index in world.devices.indices { crashIfTheStoreFailed(index) }
    }
  }

  /// The network is good again and everybody looks.
  mutating func heal() {
    for index in world.devices.indices {
      world.links[index] = Link()
      world.changeDisk(index) { $0.faults = [] }
      world.setOnline(index, true)
    }
    world.wait(300_000)
    for index in world.devices.indices { world.wish(index, .foreground) }
    world.wait(900_000)
  }

  /// Values that nobody replaced or deleted knowingly, and that are neither in the cloud nor in a journal.
  mutating func lostValues() throws -> [String] {
    var texts = [Items.zone, Items.otherZone].flatMap { world.held($0) }.map(\.fields.utf8)
    for device in world.devices {
      for entry in try device.store.conflicts(limit: .max) {
        texts += [entry.local, entry.server].compactMap { $0?.fields.utf8 }
      }
    }
    let found = texts.map { String(decoding: $0, as: UTF8.self) }.joined()
    return values.keys.sorted().filter { values[$0] == false && !found.contains($0) }
  }

  private mutating func step(device index: Int) throws {
    switch Int.random(in: 0..<100, using: &generator) {
    case 0..<45: edit(index)
    case 45..<55: delete(index)
    case 55..<62: world.setOnline(index, !world.devices[index].isOnline)
    case 62..<70: crash(index)
    case 70..<76:
      let fault = fault()
      world.changeDisk(index) { $0.faults = [fault] }
    case 76..<79: try? world.reset(index, .tokens)
    case 79..<82: try? world.reset(index, .local(keepingPending: Bool.random(using: &generator)))
    case 82..<84: deleteZone(creatingAgain: Bool.random(using: &generator))
    case 84..<90: world.wish(index, .manual)
    case 90..<94: world.push(index, PushNotification(subject: .database))
    default: world.wait(20_000)
    }
  }

  private mutating func fault() -> MemoryDeviceStore.Fault {
    let error = StoreError(.failed, "the disk hiccuped", place: "memory")
    return Bool.random(using: &generator) ? .beforeCommit(error) : .afterCommit(error)
  }

  /// A start that the disk spoils is tried again.
  private mutating func crash(_ index: Int) {
    world.crash(index)
    for _ in 0..<3 { world.start(index) }
  }

  private mutating func crashIfTheStoreFailed(_ index: Int) {
    let facts = world.facts(of: index).dropFirst(factsSeen[index] ?? 0)
    factsSeen[index] = world.facts(of: index).count
    let failed = facts.contains { if case .storeFailed = $0 { true } else { false } }
    guard failed else { return }
    if Bool.random(using: &generator) { crash(index) }
  }

  private mutating func randomID() -> RecordID {
    let name = Name("R\(Int.random(in: 0..<4, using: &generator))")
    return Items.id(name, in: usesTwoZones && Bool.random(using: &generator) ? Items.otherZone : Items.zone)
  }

  private mutating func edit(_ index: Int) {
    let recordID = randomID()
    let before = seen(recordID, on: index)
    var fields = before ?? Fields()
    let name: Name = ["a", "b", "c"].randomElement(using: &generator) ?? "a"
    count += 1
    let value = "<\(index)-\(count)>"
    fields[name] = .string(value)
    let edit = RecordEdit.save(recordID, type: "Item", fields: fields, parent: nil, stamping: .now)
    guard write(edit, on: index) else { return }
    values[value] = false
    if case .string(let replaced)? = before?[name] { values[replaced] = true }
  }

  private mutating func delete(_ index: Int) {
    let recordID = randomID()
    let before = seen(recordID, on: index)
    if write(.delete(recordID), on: index), let before { excuse(before) }
  }

  /// Whether the store kept the edit, which a disk that dies after the write does not say.
  private mutating func write(_ edit: RecordEdit, on index: Int) -> Bool {
    let commits = world.devices[index].store.commitCount
    do throws(StoreError) {
      try world.edit(index, edit)
      return true
    } catch {
      return world.devices[index].store.commitCount > commits
    }
  }

  private func seen(_ recordID: RecordID, on index: Int) -> Fields? {
    guard let record = try? world.devices[index].store.record(recordID) else { return nil }
    return try? record.local?.fields.decoded()
  }

  private mutating func excuse(_ fields: Fields) {
    for field in fields.sorted {
      if case .string(let value) = field.value { values[value] = true }
    }
  }

  /// Somebody deletes the zone: what the cloud holds of it goes with it.
  private mutating func deleteZone(creatingAgain: Bool) {
    for record in world.held(Items.zone) {
      if let fields = try? record.fields.decoded() { excuse(fields) }
    }
    world.ask(.modifyZones([.delete(Items.zone)]))
    if creatingAgain { world.ask(.modifyZones([.create(Items.zone)])) }
  }
}
