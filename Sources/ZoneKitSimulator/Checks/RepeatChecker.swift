import ZoneKitRecords
import ZoneKitTables

/// A service of tables recognises a repeat of the change that it accepted last from a device: it is no conflict, whatever
/// was written since.
package struct RepeatChecker: Sendable {
  private struct Place: Hashable {
    var account: UUID?
    var table: Name
    var key: RowKey
    var deviceID: String
  }

  /// What a device sent of a row.
  private struct Change: Hashable {
    var revision: Int64
    var values: [Name: RowValue]
  }

  /// The last change of each device to each row that the service accepted.
  private var accepted: [Place: Change] = [:]

  /// A checker at the start.
  package init() {}

  /// The answer to a request of an account arrived. Returns the violation; nil for none.
  package mutating func answered(
    _ request: RowRequest, of table: Table, with response: RowResponse, to account: UUID?
  ) -> Finding? {
    guard case .write(_, let write) = request, case .done(let result) = response else { return nil }
    var found: Finding?
    for (content, verdict) in zip(write.rows, result.verdicts) {
      guard let author = content[.changedBy]?.text.flatMap({ RowRevision($0) }), let key = content.key(of: table)
      else { continue }
      let place = Place(account: account, table: table.name, key: key, deviceID: author.deviceID)
      let change = Change(revision: author.revision, values: Self.written(content))
      switch verdict {
      // A repeat is of the change that was accepted last, also if no answer to that one was seen.
      case .inserted, .updated, .repeat: accepted[place] = change
      case .kept:
        guard accepted[place] == change else { continue }
        found = Finding(
          .decision,
          "\(table.name)/\(key.text): revision \(author.revision) of \(author.deviceID) comes again, and counts as a "
            + "conflict")
      case .same: break
      }
    }
    return found
  }

  /// Rows of an account were removed. The service knows nothing of them any more.
  package mutating func removed(_ key: RowKey, of table: Name, from account: UUID) {
    for place in accepted.keys where place.account == account && place.table == table && place.key == key {
      accepted[place] = nil
    }
  }

  /// The columns of a change, without those that can differ between two copies of it.
  private static func written(_ content: RowContent) -> [Name: RowValue] {
    content.values.filter { ![.ownerID, .updatedAt, .changedBy].contains($0.key) }
  }
}
