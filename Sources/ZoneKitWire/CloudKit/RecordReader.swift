import ZoneKitRecords

/// Reads records and tombstones in the cloud's form (CloudKit Web Services, b.3 and d.2).
enum RecordReader {
  /// The result of a record in an item of an answer.
  static func result(_ json: JSON) -> RecordResult {
    let name = json["recordName"]?.string.flatMap { $0.isEmpty ? nil : Name($0) }
    if let error = ErrorCodec.read(json) { return .failed(name, error) }
    guard let name else { return .failed(nil, CloudError(.internalError, "the server's record lacks recordName")) }
    if json["deleted"]?.bool == true {
      return .deleted(name, json["recordChangeTag"]?.string.map { ChangeTag($0) })
    }
    do {
      return .record(try record(json, named: name))
    } catch {
      return .failed(name, error)
    }
  }

  /// The change in an item of a feed page.
  static func change(_ json: JSON) -> Result<RecordChange, CloudError> {
    switch result(json) {
    case .record(let record), .kept(let record): .success(.saved(record))
    case .deleted(let name, let tag): .success(.deleted(recordName: name, changeTag: tag ?? ChangeTag("")))
    case .failed(_, let error): .failure(error)
    }
  }

  private static func record(_ json: JSON, named name: Name) throws(CloudError) -> Record {
    guard let type = json["recordType"]?.string, let tag = json["recordChangeTag"]?.string, let fields = json["fields"]
    else {
      throw CloudError(.internalError, "the server's record \(name) lacks recordType, recordChangeTag or fields")
    }
    let isShare = Share.isType(Name(type))
    return Record(
      recordName: name, recordType: Name(type),
      fields: try self.fields(fields, of: name, share: isShare ? Share(json) : nil),
      changeTag: ChangeTag(tag), created: authorship(json["created"]), modified: authorship(json["modified"]),
      parent: json["parent"]?["recordName"]?.string.map { Name($0) },
      share: isShare ? nil : json["share"]?["recordName"]?.string.map { Name($0) })
  }

  private static func fields(_ json: JSON, of name: Name, share: Share?) throws(CloudError) -> EncodedFields {
    guard let members = json.object else {
      throw CloudError(.internalError, "the fields of the server's record \(name) are not an object")
    }
    var fields = Fields()
    for member in members {
      switch FieldReader.change(member.value) {
      case .set(let value, _, let isEncrypted):
        fields.set(Field(name: Name(member.key), value: value, isEncrypted: isEncrypted))
      case .clear: fields.remove(Name(member.key))
      case .malformed(let why):
        throw CloudError(.internalError, "field \(member.key) of the server's record \(name) cannot be read: \(why)")
      }
    }
    fields[Share.field] = share?.fieldValue
    return EncodedFields(fields)
  }

  private static func authorship(_ json: JSON?) -> Authorship {
    Authorship(
      at: WallTime(milliseconds: json?["timestamp"]?.integer ?? 0),
      author: Author(
        userRecordName: Name(json?["userRecordName"]?.string ?? ""),
        deviceID: json?["deviceID"]?.string ?? Author.unnamedDevice))
  }
}
