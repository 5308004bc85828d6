import ZoneKitRecords
import ZoneKitTables
import ZoneKitTimeline

/// What timelines use of the messages of tables besides their short descriptions.
extension TraceDetail {
  /// The column that is the key of most tables.
  private static let idColumn: Name = "id"

  /// The detail of a request for tables.
  init(_ ask: World.TableVisit.Ask) {
    switch ask {
    case .rows(.write(let table, let write), _):
      let names = write.rows.compactMap { $0[Self.idColumn]?.uuid }.map { RowKey([$0]).recordName(in: table) }
      self.init(.usual, names.prefix(2).map(\.short).joined(separator: ", "), records: names.map(\.text))
    case .rows, .relations, .function, .object, .account: self.init()
    }
  }

  /// The detail of an answer.
  init(_ answer: World.TableAnswer) {
    switch answer {
    case .rows(.done(let result)): self.init(result.rows.count == 0 && result.verdicts.isEmpty ? .idle : .usual)
    case .relations(.done(let rows)): self.init(rows.isEmpty ? .idle : .usual)
    case .account(.failure), .failed: self.init()
    case .account: self.init(.setUp)
    case .rows, .relations, .function, .object: self.init()
    }
  }

  /// The detail of a message of a channel.
  init(ofEvent event: String) {
    switch event {
    case "heartbeat", "phx_reply": self.init(.idle)
    case "open", "phx_join", "system", "access_token": self.init(.setUp)
    default: self.init()
    }
  }
}
