import ZoneKitDocuments
import ZoneKitRecords
import ZoneKitSync

extension RecordEdit {
  /// The edit by which a user deletes a document with those fields: one that never left the device is erased, any other is
  /// marked as deleted. `record` is the device's record of it.
  package static func removal(of document: RecordID, type: Name, fields: Fields, _ record: LocalRecord?) -> RecordEdit {
    if let record, record.server == nil, record.sent == nil, record.unanswered.isEmpty { return .delete(document) }
    var fields = fields
    fields[.deleted] = .int64(1)
    return .save(document, type: type, fields: fields, parent: nil, stamping: .now)
  }
}
