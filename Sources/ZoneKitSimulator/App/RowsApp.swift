import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSync
import ZoneKitTables

/// A minimal app for tests of syncing tables: persons, expenses, and splits that belong to an expense.
///
/// Its command is `put TABLE NUMBER COLUMN VALUE [COLUMN VALUE ...]`. A row's key has that number; a value of a reference
/// is a number too, and `none` is null.
package enum RowsApp {
  /// The tables.
  package static let tables = TableApp(
    name: "rows", container: "com.example.rows", environment: .development, zone: "Rows", schema: schema)

  private static let schema = TableSchema([
    .owned("persons", [Column("name", .text), Column("color", .text)]),
    .owned("expenses", quiet: 300, [Column("title", .text), Column("payer", .uuid, refersTo: .to("persons"))]),
    .parts(
      "splits", of: "expense",
      [Column("expense", .uuid, isRequired: true, refersTo: .owner("expenses")), Column("amount", .float8)]),
  ])

  static let zone = ZoneID(zoneName: tables.zone)

  /// The app.
  package static var app: DeviceApp {
    var configuration = CoordinatorConfiguration(
      mergePolicy: MergePolicy { _ in Resolution(.adoptServer, rule: "cloud") }, stampField: .editedAt)
    configuration.traits.feeds = .zones([zone, ZoneID(zoneName: TableApp.journal)])
    configuration.traits.arbiter = .cloud
    configuration.pacing.order = .sendFirst
    configuration.pacing.localChangesFetch = true
    configuration.traits.typeOrder = schema.tables.map(\.name)
    configuration.merging.stamping = .together
    configuration.pushes.subscriptionID = nil
    configuration.limits.batch = 100
    var app = DeviceApp("Rows", configuration: configuration, container: tables.container, zones: [zone]) { _ in
      StatelessApp(edits: edits)
    }
    app.cloud = .tables(tables)
    app.kinds = [DeviceApp.Kind("person", type: "persons"), DeviceApp.Kind("expense", type: "expenses")]
    app.commands = DeviceApp.Commands(verbs: ["put"], help: ["put TABLE NUMBER COLUMN VALUE ..."])
    return app
  }

  /// The key of the row with that number.
  static func key(_ number: UInt64) -> UUID { UUID(high: 1, low: number, version: 4) }

  @Sendable private static func edits(_ line: String, _ view: AppView) throws(AppRefusal) -> [RecordEdit] {
    let words = line.split(separator: " ").map(String.init)
    guard words.count >= 5, words.count % 2 == 1, let table = schema.table(Name(words[1])),
      let number = UInt64(words[2])
    else { throw AppRefusal("expected put TABLE NUMBER COLUMN VALUE ...") }
    let id = RecordID(recordName: RowKey([key(number)]).recordName(in: table.name), zoneID: zone)
    do {
      var fields = try view.store.record(id)?.local?.fields.decoded() ?? Fields()
      fields[.id] = .string(key(number).text)
      for index in stride(from: 3, to: words.count, by: 2) {
        guard let column = table.column(Name(words[index])) else { throw AppRefusal("no column \(words[index])") }
        fields[column.name] = try value(words[index + 1], column)
      }
      return [.save(id, type: table.name, fields: fields, parent: nil, stamping: .now)]
    } catch let refusal as AppRefusal {
      throw refusal
    } catch {
      throw AppRefusal("\(error)")
    }
  }

  private static func value(_ word: String, _ column: Column) throws -> FieldValue? {
    guard word != "none" else { return nil }
    if let number = UInt64(word), let target = column.foreignKey?.table {
      return .reference(Reference(recordName: RowKey([key(number)]).recordName(in: target), action: .validate))
    }
    return switch column.type {
    case .float8: .double(Double(word) ?? 0)
    case .timestamp: .timestamp(WallTime(milliseconds: Int64(word) ?? 0))
    default: .string(word)
    }
  }
}
