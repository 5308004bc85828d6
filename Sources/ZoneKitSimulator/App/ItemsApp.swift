import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSync

/// A minimal app for tests of syncing: items in two zones, each with some texts and an optional reference to another
/// item.
///
/// Its commands are `save NAME FIELD TEXT`, `delete NAME`, `under NAME PARENT`, and `bind NAME TARGET`, which sets a
/// reference that requires the target. A name that begins with `o` is in the zone Others, any other in the zone Items.
/// A conflict is decided by the newest stamp, then by the greater content; field by field if the common ancestor is
/// known.
package enum ItemsApp {
  static let zone = ZoneID(zoneName: "Items")
  static let otherZone = ZoneID(zoneName: "Others")
  static let stamp: Name = "updatedAt"
  static let parent: Name = "under"
  static let target: Name = "bound"
  static let type: Name = "Item"

  /// The app.
  package static var app: DeviceApp { app { _ in [] } }

  /// The app with those repairs.
  package static func app(repairs: @escaping @Sendable (AppView) -> [RecordEdit]) -> DeviceApp {
    var app = DeviceApp(
      "Items", configuration: CoordinatorConfiguration(mergePolicy: policy, stampField: stamp),
      zones: [zone, otherZone]
    ) { _ in StatelessApp(edits: edits, repairs: repairs) }
    app.kinds = [DeviceApp.Kind("item", type: type)]
    app.commands = DeviceApp.Commands(
      verbs: ["save", "delete", "under", "bind"],
      help: ["save NAME FIELD TEXT          delete NAME", "under NAME PARENT             bind NAME TARGET"])
    app.simulation.judge = judge
    app.simulation.judgeCommand = judge
    app.simulation.randomLine = randomLine
    app.simulation.familyLines = { number in
      DeviceApp.FamilyLines(
        parent: "save p\(number) a first", child: "bind c\(number) p\(number)", edit: "save p\(number) a second",
        deletion: "delete p\(number)", id: id("p\(number)"))
    }
    return app
  }

  // MARK: Commands

  static func id(_ name: String) -> RecordID {
    RecordID(recordName: Name(name), zoneID: name.hasPrefix("o") ? otherZone : zone)
  }

  @Sendable private static func edits(_ line: String, _ view: AppView) throws(AppRefusal) -> [RecordEdit] {
    let words = line.split(separator: " ").map(String.init)
    switch (words.first, words.count) {
    case ("save", 4): return [try save(words[1], view) { $0[Name(words[2])] = .string(words[3]) }]
    case ("delete", 2): return [.delete(id(words[1]))]
    case ("under", 3):
      return [
        try save(words[1], view) {
          $0[parent] = .reference(Reference(recordName: Name(words[2]), action: .none))
        }
      ]
    case ("bind", 3):
      return [
        try save(words[1], view) {
          $0[target] = .reference(Reference(recordName: Name(words[2]), action: .validate))
        }
      ]
    default:
      throw AppRefusal(
        "\(line): expected save NAME FIELD TEXT, delete NAME, under NAME PARENT or bind NAME TARGET")
    }
  }

  private static func save(
    _ name: String, _ view: AppView, _ change: (inout Fields) -> Void
  ) throws(AppRefusal) -> RecordEdit {
    do {
      var fields = try view.store.record(id(name))?.local?.fields.decoded() ?? Fields()
      change(&fields)
      return .save(id(name), type: type, fields: fields, parent: nil, stamping: .now)
    } catch {
      throw AppRefusal("\(name) cannot be read: \(error)")
    }
  }

  @Sendable private static func randomLine(_ draw: () -> UInt64) -> String {
    let name = ["i1", "i2", "i3", "i4", "i5", "o1", "o2"][Int(draw() % 7)]
    switch draw() % 12 {
    case 0: return "delete \(name)"
    case 1: return "under \(name) i\(draw() % 5 + 1)"
    case 2: return "save \(name) \(["a", "b", "c"][Int(draw() % 3)]) \(unusualTexts[Int(draw() % 5)])"
    default: return "save \(name) \(["a", "b", "c"][Int(draw() % 3)]) v\(draw() % 100_000)"
    }
  }

  /// Texts that are long, in another script, or often there already.
  private static let unusualTexts = ["same", "caf\u{E9}", "cafe\u{301}", "日本語👩‍👩‍👧", String(repeating: "x", count: 5_000)]

  // MARK: Conflicts

  static let policy = MergePolicy.newestEdit(stamp: stamp)

  @Sendable private static func judge(_ entry: ConflictEntry) -> String? {
    MergePolicy.flaw(ofNewestEdit: entry, stamp: stamp)
  }

  /// A command changes the item and the field that it names.
  @Sendable private static func judge(_ line: String, _ changes: [DeviceApp.Change]) -> String? {
    let words = line.split(separator: " ").map(String.init)
    guard words.count > 1 else { return nil }
    let field: Name? =
      switch words[0] {
      case "save": Name(words[2])
      case "under": parent
      case "bind": target
      default: nil
      }
    let other = changes.first { $0.id != id(words[1]) }.map { "\($0.id.words) is another item" }
    let flaw = other ?? changes.first.flatMap { $0.after == nil ? nil : $0.text(unlessOf: [field ?? stamp, stamp]) }
    return flaw.map { "`\(line)` changed too much. \($0)" }
  }
}
