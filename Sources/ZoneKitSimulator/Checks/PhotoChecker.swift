import ZoneKitRecords
import ZoneKitTables

/// The photos that the user of a device gave to rows and that no row names yet. None of them may be forgotten.
package struct PhotoChecker: Sendable {
  /// The kinds of events that it reads.
  static let reads = LogEventKinds(
    events: [.photoGiven, .photoSettled, .asked, .answered, .diskReplaced, .accountSet, .rowsPurged, .processStarting])

  private var given: [RecordID: PhotoName] = [:]
  /// The rows whose last upload was refused for good.
  private var refused: Set<RecordID> = []
  /// The rows whose photos are being uploaded, by the number of the request.
  private var uploads: [UInt64: RecordID] = [:]

  /// A checker at the start of a log.
  package init() {}

  /// The next entry of the log that counts was read.
  package mutating func take(_ entry: LogEntry) {
    switch entry.event {
    case .photoGiven(let photo, let record):
      given[record] = photo
      refused.remove(record)
    case .photoSettled(let record): given[record] = nil
    case .asked(let id, .object(.upload(let record, _, _))): uploads[id] = record
    case .answered(let id, let answer):
      guard let record = uploads.removeValue(forKey: id), Self.isFinal(answer) else { break }
      refused.insert(record)
    case .diskReplaced, .accountSet: given = [:]
    case .rowsPurged(let rows): for row in rows { given[row] = nil }
    case .processStarting: uploads = [:]
    default: break
    }
  }

  private static func isFinal(_ answer: World.TableAnswer) -> Bool {
    guard case .object(.refused(let refusal)) = answer else { return false }
    return (400..<500).contains(refusal.status) && ![401, 408, 429].contains(refusal.status)
      && !refusal.message.contains("JWT")
  }

  /// Whether the device may stop trying to upload the photo of a row.
  package func maySetAside(_ record: RecordID) -> Bool { refused.contains(record) }

  /// The rows whose photos are neither named nor settled, ascending.
  package var open: [(record: RecordID, photo: PhotoName)] {
    given.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}
