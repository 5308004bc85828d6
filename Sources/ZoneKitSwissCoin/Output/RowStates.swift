import ZoneKitRecords
import ZoneKitSync

/// Whether rows have been sent, as lists and `show` say it.
struct RowStates {
  private enum State {
    case pending(since: WallTime)
    case failed(String)
  }

  /// The states of rows that are not synced.
  private var states: [RecordID: State] = [:]

  /// The states of those records in a store.
  init(of records: [RecordID], in store: any DeviceStore) throws(StoreError) {
    for id in records {
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
}
