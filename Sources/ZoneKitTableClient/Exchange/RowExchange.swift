import ZoneKitRecords
import ZoneKitTables

/// An exchange with tables of this product's form.
typealias RowExchange = Exchange<RowContext>

extension Exchange<RowContext> {
  /// An exchange for that request of a device of the account.
  init(_ request: CloudRequest, app: TableApp, account: UUID, deviceID: String) {
    self.init(request, RowContext(app: app, account: account, deviceID: deviceID))
  }

  /// The newest stamps that the answer brings of each table; nil unless it brings rows of the app's zone.
  var cursors: [Name: WallTime]? {
    guard case .answer(.zoneChanges(let results)) = step else { return nil }
    return results.compactMap { result -> [Name: WallTime]? in
      guard case .changes(let changes) = result, changes.zoneID.zoneName == context.app.zone else { return nil }
      return TableToken(changes.token)?.cursors
    }.last
  }
}

extension RowContext: ExchangeContext {
  static var service: String { "table server" }

  func refusedDeletion(of zoneID: ZoneID) -> CloudError {
    CloudError(.serverRejectedRequest, "zone \(zoneID.zoneName) of a table server is not deleted")
  }

  func reading(_ query: ZoneChangesQuery) -> FeedReading { FeedReading(query, self) }

  func writing(_ batch: ModifyRecords) -> RowSending { RowSending(batch, self) }

  func lookup(_ names: [Name], in zoneID: ZoneID) -> RowLookup { RowLookup(names, self) }
}
