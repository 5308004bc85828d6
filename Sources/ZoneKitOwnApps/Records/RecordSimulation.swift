import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSync

/// The part of an app of records in a simulation: random commands over a small table of types, and checks.
enum RecordSimulation {
  /// The properties for `DeviceApp.simulation`.
  static var part: DeviceApp.Simulation {
    var part = DeviceApp.Simulation()
    part.mergePolicy =
      MergeLaws(of: RecordData.mergePolicy, stamp: RecordData.stamp) { name in
        name != RecordData.stamp
      }.policy
    part.judge = judge
    part.judgeCommand = judge
    part.randomLine = randomLine
    part.familyLines = { number in
      DeviceApp.FamilyLines(
        parent: "new Shop as shop\(number) name=first",
        child: "new Task as task\(number) shop=->shop\(number):validate",
        edit: "set shop\(number) name=second", deletion: "delete shop\(number)",
        id: RecordID(recordName: Name("shop\(number)"), zoneID: RecordData.zone))
    }
    return part
  }

  @Sendable private static func judge(_ entry: ConflictEntry) -> String? {
    MergeLaws.violation(by: entry) ?? MergePolicy.flaw(ofNewestEdit: entry, stamp: RecordData.stamp)
  }

  /// A command changes one record, and of a record that was there before only the fields that it names.
  @Sendable private static func judge(_ line: String, _ changes: [DeviceApp.Change]) -> String? {
    guard case let command? = try? OwnCommand(parsing: line, verbs: OwnCommand.verbs) else { return nil }
    return command.flaw(in: changes, as: line, allowed: [RecordData.stamp])
  }

  // MARK: Random commands

  /// The fields of the types that random commands write, with the type of each.
  private static let types: [(name: String, fields: [(name: String, type: FieldType)])] = [
    (
      "Task",
      [
        ("title", .string), ("count", .int64), ("weight", .double), ("due", .timestamp), ("tags", .stringList),
        ("next", .reference), ("place", .location), ("picture", .bytes),
      ]
    ),
    ("Shop", [("name", .string), ("visits", .int64), ("scores", .int64List)]),
  ]

  /// Few records with many edits, so that users often meet on one. A name that is there already is edited.
  @Sendable private static func randomLine(_ draw: () -> UInt64) -> String {
    let type = types[draw() % 4 == 0 ? 1 : 0]
    let name = "\(type.name.lowercased())\(draw() % 4 + 1)"
    switch draw() % 12 {
    case 0: return "delete \(name)"
    case 1...3: return "new \(type.name) as \(name) \(assignments(of: type.fields, draw))"
    case 4: return "set @\(draw() % 6 + 1) \(draw() % 2 == 0 ? "note=N\(draw() % 9)" : "note=none")"
    default: return "set \(name) \(assignments(of: type.fields, draw))"
    }
  }

  private static func assignments(of fields: [(name: String, type: FieldType)], _ draw: () -> UInt64) -> String {
    let first = Int(draw() % UInt64(fields.count))
    let count = draw() % 4 == 0 ? 2 : 1
    return (0..<count).map { index in
      let field = fields[(first + index) % fields.count]
      return "\(field.name)=\(draw() % 9 == 0 ? "none" : value(of: field.type, draw))"
    }.joined(separator: " ")
  }

  private static func value(of type: FieldType, _ draw: () -> UInt64) -> String {
    let number = draw() % 1_000
    switch type {
    case .string: return draw() % 5 == 0 ? UnusualWords.text(upTo: 200, draw) : "t\(number)"
    case .int64: return ["\(number)", "-1", "0", "9223372036854775807"][Int(draw() % 8 < 5 ? 0 : draw() % 4)]
    case .double: return ["\(number).5", "-0.25", "1e10"][Int(draw() % 3)]
    case .timestamp: return ["now", "2026-11-21T06:06:01Z", "1970-01-01", "2199-12-31T23:59"][Int(draw() % 4)]
    case .stringList: return ["[]", "[a]", "[a,\"b c\"]", "[t\(number),a,a]"][Int(draw() % 4)]
    case .int64List: return ["[]", "[\(number)]", "[1,2,3]"][Int(draw() % 3)]
    case .reference: return "->task\(number % 4 + 1)"
    case .location: return "@\(number % 90).25,-7.5"
    default: return ["base64:", "base64:AAEC", "base64:/w=="][Int(draw() % 3)]
    }
  }
}
