import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSync
import ZoneKitTables

/// The members of a JSON answer: what was said, the records that changed with the app's words for them, and rows as the
/// server's interface writes them.
enum CoinMembers {
  /// The members for an answer. The rows are those of the view, with the stamps of the command.
  static func members(of answer: CoinAnswer, in view: AppView) -> [JSON.Member] {
    let said = answer.said.map { [JSON.Member("said", .string($0))] } ?? []
    return said + changes(answer) + rows(answer.records, in: view) + balances(answer)
  }

  private static func changes(_ answer: CoinAnswer) -> [JSON.Member] {
    guard answer.said != nil else { return [] }
    let ids = answer.edits.map(\.recordID)
    return [
      JSON.Member("records", .array(ids.map { .string($0.recordName.text) })),
      JSON.Member(
        "kinds", .array(ids.map { SwissCoin.table(of: $0).map { .string(TableWord($0).noun) } ?? .null })),
    ]
  }

  /// The members with those rows, their states and their queued photos.
  static func rows(_ ids: [RecordID], in view: AppView) -> [JSON.Member] {
    guard !ids.isEmpty else { return [] }
    var tables: [JSON.Member] = []
    do throws(StoreError) {
      let states = try RowStates(of: ids, in: view.store)
      let owner = try Me.id(in: view)
      for table in SwissCoin.schema.tables {
        var rows: [JSON] = []
        for id in ids where SwissCoin.table(of: id)?.name == table.name {
          if let row = try row(id, owner: owner, in: view) { rows.append(row) }
        }
        if !rows.isEmpty { tables.append(JSON.Member(table.name.text, .array(rows))) }
      }
      let waiting = ids.filter { states.name(of: $0) != "synced" }.map { id in
        JSON.Member(id.recordName.text, .string(states.words(of: id)))
      }
      let photos = ids.compactMap { id in
        states.photo(of: id).map { JSON.Member(id.recordName.text, .string($0.words)) }
      }
      return [JSON.Member("tables", .object(tables)), JSON.Member("states", .object(waiting))]
        + (photos.isEmpty ? [] : [JSON.Member("photos", .object(photos))])
    } catch {
      return [JSON.Member("error", .string("\(error)"))]
    }
  }

  /// A row in the form of the server's interface. The owner of local rows is null.
  private static func row(_ id: RecordID, owner: UUID?, in view: AppView) throws(StoreError) -> JSON? {
    guard let record = try view.store.record(id), var row = try CoinRow(record, owner: owner ?? UUID(high: 0, low: 0))
    else { return nil }
    if view.account == nil { row[.ownerID] = .null }
    return row.json
  }

  private static func balances(_ answer: CoinAnswer) -> [JSON.Member] {
    guard case .balances(let entries) = answer else { return [] }
    return [
      JSON.Member(
        "balances",
        .array(
          entries.map { person, balance in
            .object(
              [
                JSON.Member("person_id", .string(person.key.text)),
                JSON.Member("name", person["name"].text.map(JSON.string) ?? .null),
              ]
                + (balance.json.object ?? []))
          }))
    ]
  }
}

extension CoinRow {
  /// The row as the server's interface writes it.
  var json: JSON { (try? JSON(parsing: RowText(.all, of: table).text(of: row))) ?? .null }
}
