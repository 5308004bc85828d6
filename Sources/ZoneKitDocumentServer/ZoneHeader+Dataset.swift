import ZoneKitCloud
import ZoneKitDocuments
import ZoneKitRecords

extension ZoneHeader {
  /// The data set of the zone: its incarnation minus its purges, so that it stays the same when old tombstones go.
  var dataset: UInt64 { incarnation &- UInt64(bitPattern: purges) }

  /// Why requests for the documents of the zone are refused; nil if the zone exists.
  var refusal: DocumentError? {
    switch deletion {
    case nil: return nil
    case .purged:
      var error = DocumentError(
        .purged, "the user removed the app's data; ask the user before a push without changes begins anew")
      error.ending = ZoneEnding(.purged, at: lastCommitAt)
      return error
    case .deleted, .encryptedDataReset, .lost:
      return DocumentError(
        .datasetChanged,
        "the documents were deleted; a push without changes begins anew, and then all documents are offered again")
    }
  }
}

extension StoredRecord {
  /// The version of the record as clients get it.
  func version(in dataset: UInt64) -> ChangeResult.Version {
    ChangeResult.Version(
      number: version, tag: DocumentTag(dataset: dataset, sequence: sequence), committedAt: modified.at,
      deviceID: modified.author.deviceID)
  }

  /// The fields of the record.
  func decodedFields() throws(EvaluationFailure) -> Fields {
    do { return try fields.decoded() } catch { throw .unreadable(error) }
  }
}
