import ZoneKitRecords

extension Evaluation {
  /// Permits uploads for fields of records, which need not exist yet (CloudKit Web Services, a.1 row 21).
  mutating func createUploads(
    _ uploads: [AssetUpload], in zoneID: ZoneID, using generator: inout some RandomNumberGenerator
  ) throws(EvaluationFailure) -> Outcome {
    try checkCount(uploads.count, of: "tokens")
    let zone = try liveZone(zoneID)
    guard zone.access.mayWrite else {
      throw .refused(.permissionFailure, "the records of zone \(zoneID.zoneName) are shared for reading only")
    }
    var tokens: [AssetUploadToken] = []
    for (index, upload) in uploads.enumerated() {
      if let problem = problem(of: upload) { throw .refused(.invalidArguments, "tokens[\(index)]: \(problem)") }
      let name = upload.recordName ?? Name(RandomIdentifier.uuid(using: &generator))
      let token = UploadToken(
        for: AssetPlace(recordName: name, fieldName: upload.fieldName), in: zone.key.database, at: now,
        using: &generator)
      tokens.append(AssetUploadToken(recordName: name, fieldName: upload.fieldName, token: token.text))
    }
    return Outcome(.uploads(tokens))
  }

  private func problem(of upload: AssetUpload) -> String? {
    if let name = upload.recordName {
      guard name.hasLegalLength else { return "a record name has 1 to \(Name.lengthLimit) characters" }
      guard !name.isReserved else { return "record name \(name) begins with _, which only names of the cloud do" }
    }
    for name in [upload.recordType, upload.fieldName] where !name.isIdentifier {
      return "\(name) is not a letter, then letters, digits and underscores, at most \(Name.lengthLimit) of them"
    }
    return nil
  }

  /// Receipts for assets of records, with which other records of the database can have them too (CloudKit Web Services, a.1
  /// row 23).
  mutating func rereferenceAssets(_ places: [AssetPlace], in zoneID: ZoneID) throws(EvaluationFailure) -> Outcome {
    try checkCount(places.count, of: "assets")
    let zone = try liveZone(zoneID)
    let content = reader.content(of: zone.key)
    try content.require([.records(places.map(\.recordName), in: zone.key)])
    var results: [AssetResult] = []
    for place in places {
      let record = try content.record(place.recordName)
      guard let record, !record.isDeleted,
        try zone.access.shows(record.recordName, below: record.parent, content.record)
      else {
        let error = CloudError(missing: place.recordName, isUnknown: record == nil, in: zone.header)
        results.append(.failed(place, error))
        continue
      }
      guard access.allows(.read, on: record.recordType, madeBy: record.created.author.userRecordName) else {
        results.append(.failed(place, RecordAccess.error(.read)))
        continue
      }
      if case .asset(let asset)? = try record.decodedFields()[place.fieldName] {
        results.append(.asset(AssetReceipt(asset, for: nil).asset(in: zone.key.database)))
      } else {
        results.append(
          .failed(
            place,
            CloudError(
              .unknownItem, "field \(place.fieldName) of record \(place.recordName) has no value of the type ASSETID")))
      }
    }
    return Outcome(.assets(results))
  }
}
