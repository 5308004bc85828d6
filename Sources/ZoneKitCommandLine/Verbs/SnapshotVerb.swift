import ZoneKitRecords
import ZoneKitService

/// `zonekit snapshot`: saves and restores the whole state.
enum SnapshotVerb {
  static let spec = VerbSpec(
    "snapshot", "save [NAME] | restore SNAPSHOT | list", meanings: ["SNAPSHOT": .name(.snapshots)],
    summary: "save and restore the whole state of cloud and devices",
    details: """
      save works while processes run; without NAME the present time is the name. restore replaces cloud and devices, and moves
      their present state to DIR/backups. A running server and running devices close their files for that time and go on with
      the state of the snapshot; a device that is not in it ends. A zone that goes back begins a new incarnation: what
      clients know of it is refused as expired, and they fetch it as a whole.
      """,
    examples: [
      "zonekit snapshot save before-upgrade", "zonekit snapshot list", "zonekit snapshot restore before-upgrade",
    ],
    run: run)

  private static func run(_ words: Invocation) throws(ExitFailure) -> Int32 {
    let snapshots = Snapshots(of: DataDirectory(words.dataDirectory))
    guard let action = words.operands.first else { throw .usage("save, restore or list is missing") }
    switch action {
    case "save":
      guard words.operands.count <= 2 else { throw .usage("\(words.operands[2]) is one word too many") }
      try save(words.operands.dropFirst().first, in: snapshots, asJSON: words.wantsJSON)
    case "restore": try restore(try words.operands("restore", "NAME")[1], in: snapshots, asJSON: words.wantsJSON)
    case "list":
      _ = try words.operands("list")
      try list(snapshots, asJSON: words.wantsJSON)
    default:
      let suggestion = Suggestion.text(for: action, among: ["save", "restore", "list"])
      throw .usage("snapshot takes save, restore or list, not \(action)\(suggestion)")
    }
    return 0
  }

  private static func save(_ name: String?, in snapshots: Snapshots, asJSON: Bool) throws(ExitFailure) {
    let saved = try ExitFailure.from { () throws(StoresError) in
      try snapshots.save(name, version: CommandLineProgram.version, at: SystemClock.wall)
    }
    let devices = saved.devices.isEmpty ? "no devices" : "devices \(saved.devices.joined(separator: ", "))"
    Console.print(
      asJSON
        ? json("saved", saved).text() : "saved \(saved.name): cloud and \(devices), \(size(saved.bytes)), \(saved.path)"
    )
  }

  private static func restore(_ name: String, in snapshots: Snapshots, asJSON: Bool) throws(ExitFailure) {
    let (backup, zones) = try ExitFailure.from { () throws(StoresError) in
      try snapshots.restore(name, at: SystemClock.wall)
    }
    let renewed = zones.map { zone in
      JSON.object([
        JSON.Member("zone", .string(zone.zone.zoneName.text)),
        JSON.Member("user", .string(zone.zone.database.user.text)),
        JSON.Member("sequence", .integer(zone.sequence)), JSON.Member("knownSequence", .integer(zone.knownSequence)),
      ])
    }
    let line: JSON = [
      "event": "restored", "name": .string(name), "backup": .string(backup), "renewed": .array(renewed),
    ]
    guard !asJSON else { return Console.print(line.text()) }
    Console.print("restored \(name)")
    for zone in zones {
      let place = "zone \(zone.zone.zoneName) of \(zone.zone.database.user)"
      Console.print("\(place) went back from \(zone.knownSequence) to \(zone.sequence): clients fetch it as a whole")
    }
    Console.print("backup: \(backup)")
  }

  private static func list(_ snapshots: Snapshots, asJSON: Bool) throws(ExitFailure) {
    let found = try ExitFailure.from { () throws(StoresError) in try snapshots.list() }
    if asJSON {
      for snapshot in found { Console.print(json("snapshot", snapshot).text()) }
      return
    }
    let rows = found.map { snapshot in
      [
        snapshot.name, snapshot.savedAt?.iso8601 ?? "unknown", size(snapshot.bytes),
        snapshot.devices.isEmpty ? "-" : snapshot.devices.joined(separator: ", "),
      ]
    }
    Console.print(
      rows.isEmpty
        ? "no snapshots" : TextTable([["NAME", "SAVED", "SIZE", "DEVICES"]] + rows).text(within: Console.columns))
  }

  private static func json(_ event: String, _ snapshot: Snapshot) -> JSON {
    [
      "event": .string(event), "name": .string(snapshot.name),
      "savedAt": snapshot.savedAt.map { .string($0.iso8601) } ?? .null, "bytes": .integer(snapshot.bytes),
      "devices": .array(snapshot.devices.map(JSON.string)), "path": .string(snapshot.path),
    ]
  }

  private static func size(_ bytes: Int64) -> String { bytes < 1000 ? "\(bytes) B" : "\((bytes + 500) / 1000) kB" }
}
