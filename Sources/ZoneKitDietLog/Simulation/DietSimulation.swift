import ZoneKitDeviceHost
import ZoneKitDocuments
import ZoneKitRecords
import ZoneKitSync

/// The diet log's part of a simulation: random commands, and checks that implement the rules a second time in a simple
/// way.
enum DietSimulation {
  /// The properties for `DeviceApp.simulation`.
  static var part: DeviceApp.Simulation {
    var part = DeviceApp.Simulation()
    part.judge = judge
    part.flaw = flaw
    part.randomLine = randomLine
    return part
  }

  // MARK: Commands

  /// Few logs with many edits of their items. `@N` stands for the Nth document or item.
  @Sendable private static func randomLine(_ draw: () -> UInt64) -> String {
    let (log, item, number) = (draw() % 3 + 1, draw() % 6 + 1, draw() % 1_000)
    switch draw() % 32 {
    case 0: return "log \(["breakfast", "lunch", "dinner", "snack"][Int(draw() % 4)]) on 2026-11-2\(draw() % 3)"
    case 1...8: return "add @\(log) F\(draw() % 20) \(number + 1) g kcal \(number)"
    case 9: return "add last F\(draw() % 20) 0.\(number % 9 + 1) cup protein \(number).\(number % 10)"
    case 10...13: return "change @\(log) @\(item) kcal \(number)"
    case 14, 15: return "change @\(log) @\(item) name N\(number)"
    case 16, 17: return "drop @\(log) @\(item)"
    case 18: return "restore foodLogs.@\(log) @\(item)"
    case 19: return "again F\(draw() % 20) to @\(log)"
    case 20, 21: return "edit foodLogs.@\(log) notes N\(number)"
    case 22: return "edit foodLogs.@\(log) mealName M\(number)"
    case 23: return "delete foodLogs.@\(log)"
    case 24: return "restore foodLogs.@\(log)"
    case 25: return "weigh \(number % 100 + 40).\(number % 10) fat \(number % 40)"
    case 26: return "goal kcal \(number + 1_000)"
    case 27: return "goal weight \(number % 60 + 50)"
    case 28: return "family F\(number % 10)"
    case 29: return "member @\(log) M\(number) \(["owner", "adult", "child"][Int(draw() % 3)])"
    case 30: return "delete families.@\(log)"
    default: return "delete @\(draw() % 40 + 1)"
    }
  }

  // MARK: Checks

  /// Checks a document that the app wrote: no item was edited later than the document.
  @Sendable private static func flaw(_ content: RecordContent) -> String? {
    guard let fields = try? content.fields.decoded() else { return "its fields cannot be read" }
    guard case .timestamp(let stamp)? = fields[.documentStamp] else { return "it has no edit stamp" }
    guard fields["items"] != nil else { return nil }
    guard let items = fields.items(in: "items") else { return "its items cannot be read" }
    guard let late = items.first(where: { $0.updatedAt > stamp.milliseconds }) else { return nil }
    return "its item \(late.id) was edited later than the document"
  }

  /// Decides a conflict again in a simple way, and checks that a result has the stamp and the mark of deletion of the
  /// greater version.
  @Sendable private static func judge(_ entry: ConflictEntry) -> String? {
    guard let local = entry.local, let server = entry.server, let ours = try? local.fields.decoded(),
      let theirs = try? server.fields.decoded(), entry.winner == .local || entry.winner == .server,
      ["updatedAt", "alive", "content"].contains(entry.rule)
    else { return nil }
    let isLocalGreater: Bool
    if ours.editedAt != theirs.editedAt {
      isLocalGreater = ours.editedAt > theirs.editedAt
    } else if ours.isDeleted != theirs.isDeleted {
      isLocalGreater = theirs.isDeleted
    } else {
      isLocalGreater = header(theirs).lexicographicallyPrecedes(header(ours))
    }
    guard header(ours) != header(theirs), isLocalGreater != (entry.winner == .local) else { return nil }
    return "\(entry.recordID.words): \(entry.winner.rawValue) won by \(entry.rule), and the other version is greater"
  }

  private static func header(_ fields: Fields) -> [UInt8] {
    var header = fields
    header["items"] = nil
    return EncodedFields(header).utf8
  }
}
