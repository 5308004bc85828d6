import ZoneKitRecords
import ZoneKitSync
import ZoneKitTables

/// Whether rows have been sent, as lists and `show` say it.
struct RowStates {
  private enum State {
    case pending(since: WallTime)
    case failed(String)
  }

  /// The states of rows that are not synced.
  private var states: [RecordID: State] = [:]

  /// The photos that users gave to rows and that are not uploaded.
  private var photos: [RecordID: QueuedPhoto] = [:]

  /// The states of those records in a store.
  init(of records: [RecordID], in store: any DeviceStore) throws(StoreError) {
    let values = try store.appValues()
    for id in records {
      photos[id] = values[QueuedPhoto.key(of: id)]?.text.flatMap { QueuedPhoto($0) }
      guard let record = try store.record(id) else { continue }
      if let reason = record.quarantine {
        states[id] = .failed(reason.text)
      } else if let since = record.pendingSince {
        states[id] = .pending(since: since)
      }
    }
  }

  /// The mark before an ID: `!` for a row that was set aside, `·` for one that waits.
  func mark(of id: RecordID) -> String {
    switch states[id] {
    case .failed: "!"
    case .pending: "·"
    case nil: ""
    }
  }

  /// The state in words.
  func words(of id: RecordID) -> String {
    switch states[id] {
    case .failed(let reason): "failed: \(reason)"
    case .pending(let since): "pending since \(since.iso8601Seconds)"
    case nil: "synced"
    }
  }

  /// The name of the state.
  func name(of id: RecordID) -> String {
    switch states[id] {
    case .failed: "failed"
    case .pending: "pending"
    case nil: "synced"
    }
  }

  /// The photo that the user gave to a row and that is not uploaded; nil if there is none.
  func photo(of id: RecordID) -> QueuedPhoto? { photos[id] }
}
