import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSync

/// An app of a user's own data, running on a device. It keeps no state between two commands.
struct RunningOwnApp<Data: OwnData>: RunningApp {
  /// The kind of data.
  let data: Data

  /// How many entries `list` shows where no count is given.
  static var usualLimit: Int { 50 }

  func refresh(_ changed: [RecordID], from view: AppView) {}

  func perform(
    _ line: String, in view: AppView, using generator: inout some RandomNumberGenerator
  ) throws(AppRefusal) -> AppAnswer {
    let shelf = OwnShelf(data: data, view: view)
    let command = try OwnCommand(parsing: line, verbs: data.verbs)
    switch command {
    case .list(nil, let limit): return try types(shelf, limit)
    case .list(let word?, let limit): return try list(word, shelf, limit)
    case .show(let word): return show(try shelf.find(word))
    case .new, .set, .delete, .restore, .add, .change, .drop:
      return answer(try data.change(command, on: shelf, using: &generator))
    }
  }

  func find(_ word: String, in view: AppView) throws(AppRefusal) -> RecordID {
    var words = try CommandWords(word)
    let meant = try words.next("an ID")
    try words.end()
    return try OwnShelf(data: data, view: view).find(meant).id
  }

  func repairs(in view: AppView) -> [RecordEdit] { [] }

  func staleness(in view: AppView) -> String? { nil }

  // MARK: Answers

  private func answer(_ change: OwnChange) -> AppAnswer {
    AppAnswer(
      edits: change.edits, lines: { [change.said] },
      members: { _ in
        [
          JSON.Member("said", .string(change.said)),
          JSON.Member("records", .array(change.edits.map { .string($0.recordID.recordName.text) })),
          JSON.Member("kinds", .array(change.edits.map { kind(of: $0) })),
        ]
      })
  }

  /// The type of what an edit leaves; null if it deletes the entry.
  private func kind(of edit: RecordEdit) -> JSON {
    switch edit {
    case .save(let id, let type, let fields, _, _), .repair(let id, let type, let fields, _, _):
      let record = LocalRecord(
        recordID: id, recordType: type, local: RecordContent(fields: EncodedFields(fields)))
      return data.entry(record)?.isDeleted == false ? .string(type.text) : .null
    case .delete: return .null
    }
  }

  private func types(_ shelf: OwnShelf<Data>, _ limit: Int?) throws(AppRefusal) -> AppAnswer {
    var counts: [(type: Name, count: Int)] = []
    for type in Set(data.types + (try shelf.knownTypes())).sorted() {
      counts.append((type, try shelf.entries(of: type).count { !$0.isDeleted }))
    }
    let shown = counts.prefix(limit ?? counts.count).map { ["\($0.type)", "\($0.count)"] }
    return AppAnswer(
      lines: {
        shown.isEmpty
          ? ["there is nothing yet; `new TYPE FIELD=VALUE` makes something"]
          : TextTable(header: ["TYPE", "COUNT"], rows: shown).lines
      },
      members: { [counts] _ in
        [
          JSON.Member(
            "types", .object(counts.map { JSON.Member($0.type.text, .integer(Int64($0.count))) }))
        ]
      })
  }

  private func list(_ word: String, _ shelf: OwnShelf<Data>, _ limit: Int?) throws(AppRefusal) -> AppAnswer {
    let type = try data.type(word, known: try shelf.knownTypes(), isNew: false)
    let entries = try shelf.entries(of: type).filter { !$0.isDeleted }
    let shown = Array(entries.prefix(limit ?? Self.usualLimit))
    let data = data
    return AppAnswer(
      lines: {
        guard !shown.isEmpty else { return ["there is no \(type) yet; `new \(type) FIELD=VALUE` makes one"] }
        let columns = data.columns(of: shown)
        let rows = shown.map { entry in
          [entry.word]
            + columns.map { name in
              entry.fields[name].map { data.text($0, of: name, in: entry) } ?? ""
            }
        }
        let left = entries.count - shown.count
        return TextTable(header: ["ID"] + columns.map(\.text), rows: rows).lines.map(\.onOneLine)
          + (left > 0 ? ["not shown: \(left) more; give a greater count"] : [])
      },
      members: { _ in [JSON.Member(type.text, .array(shown.map(data.json)))] })
  }

  private func show(_ entry: OwnEntry) -> AppAnswer {
    let data = data
    return AppAnswer(
      lines: {
        let names = data.fields(of: entry)
        let width = names.map(\.text.count).max() ?? 0
        let lines = names.compactMap { name -> String? in
          guard let value = entry.fields[name] else { return nil }
          let padding = String(repeating: " ", count: width - name.text.count)
          let remark = data.remark(on: value, of: name, in: entry).map { "  (\($0))" } ?? ""
          return "  \(name)\(padding)  \(data.text(value, of: name, in: entry))\(remark)"
        }
        let parts = data.parts(of: entry).map { "    \($0)" }
        return ["\(entry.words)\(entry.isDeleted ? ", deleted" : "")"] + (lines + parts).map(\.onOneLine)
      },
      members: { _ in [JSON.Member("type", .string(entry.type.text)), JSON.Member("entry", data.json(entry))] })
  }
}

extension String {
  /// The text with spaces instead of line breaks.
  fileprivate var onOneLine: String { String(map { $0.isNewline ? " " : $0 }) }
}
