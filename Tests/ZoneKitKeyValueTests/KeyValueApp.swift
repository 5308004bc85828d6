import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSync

/// The smallest app over a protocol of its own: keys with values, in one zone. `set KEY VALUE` and `delete KEY` are its
/// commands. Of two values that meet, the greater one wins.
enum KeyValueApp {
  static let zoneID = ZoneID(zoneName: "KeyValue")
  static let container: Name = "kv"
  static let recordType: Name = "Entry"
  static let field: Name = "value"

  /// The app. Tests plant another policy.
  static func app(policy: MergePolicy = greatest) -> DeviceApp {
    var configuration = CoordinatorConfiguration(mergePolicy: policy)
    configuration.pushes.subscriptionID = nil
    configuration.traits.journalZone = nil
    var app = DeviceApp("KeyValue", configuration: configuration, container: container, zones: [zoneID]) { _ in
      StatelessApp(edits: { line, _ throws(AppRefusal) in try edits(line) })
    }
    app.cloud = .zones(KeyValueAdapter())
    app.conversation = KeyValueConversation(zoneID: zoneID)
    app.kinds = [DeviceApp.Kind("entry", type: recordType)]
    app.commands = DeviceApp.Commands(verbs: ["set", "delete"], help: ["set KEY VALUE                 delete KEY"])
    app.simulation.judge = judge
    app.simulation.randomLine = randomLine
    return app
  }

  static func id(_ key: String) -> RecordID { RecordID(recordName: Name(key), zoneID: zoneID) }

  static func value(_ content: RecordContent?) -> String? {
    guard case .string(let value)? = (try? content?.fields.decoded())?[field] else { return nil }
    return value
  }

  private static func edits(_ line: String) throws(AppRefusal) -> [RecordEdit] {
    let words = line.split(separator: " ").map(String.init)
    switch (words.first, words.count) {
    case ("set", 3):
      var fields = Fields()
      fields[field] = .string(words[2])
      return [.save(id(words[1]), type: recordType, fields: fields, parent: nil, stamping: .asGiven)]
    case ("delete", 2): return [.delete(id(words[1]))]
    default: throw AppRefusal("\(line): expected set KEY VALUE or delete KEY")
    }
  }

  static let greatest = MergePolicy { conflict in
    let (local, server) = (value(conflict.local) ?? "", value(conflict.server) ?? "")
    return Resolution(local > server ? .keepLocal : .adoptServer, rule: "greatest")
  }

  @Sendable private static func judge(_ entry: ConflictEntry) -> String? {
    guard let local = value(entry.local), let server = value(entry.server), local != server else { return nil }
    let expected: ConflictEntry.Winner = local > server ? .local : .server
    return entry.winner == expected ? nil : "of \(local) and \(server) the smaller one won"
  }

  @Sendable private static func randomLine(_ draw: () -> UInt64) -> String {
    let key = "k\(draw() % 6)"
    return draw() % 8 == 0 ? "delete \(key)" : "set \(key) v\(draw() % 100_000)"
  }
}
