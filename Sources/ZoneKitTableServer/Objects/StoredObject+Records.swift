import ZoneKitCloud
import ZoneKitRecords
import ZoneKitTables

extension StoredObject {
  private static let types: [(name: Name, type: FieldType)] = [
    ("bucket", .string), ("cacheControl", .string), ("contentType", .string), ("createdAt", .timestamp),
    ("id", .string), ("metadata", .string), ("path", .string), ("sha256", .string), ("size", .int64),
  ]

  /// The fields of objects' records that a schema does not have yet.
  static func definitions(missingIn known: [FieldDefinition]) -> [FieldDefinition] {
    types.map { FieldDefinition(recordType: ObjectTransaction.recordType, field: $0.name, type: $0.type) }
      .filter { definition in !known.contains { $0.field == definition.field } }
  }

  /// The fields of the object's record.
  var fields: Fields {
    var fields = Fields()
    fields["bucket"] = .string(bucket)
    fields["cacheControl"] = .string(content.cacheControl)
    fields["contentType"] = .string(content.contentType)
    fields["createdAt"] = .timestamp(createdAt)
    fields["id"] = .string(id.text)
    fields["metadata"] = content.metadata.map { .string($0) }
    fields["path"] = .string(path)
    fields["sha256"] = .string(content.hash)
    fields["size"] = .int64(Int64(content.size))
    return fields
  }

  /// The object of a record.
  init(_ record: StoredRecord) throws(EvaluationFailure) {
    do throws(StoreError) {
      try self.init(try record.fields.decoded(), of: record.recordName, updatedAt: record.modified.at)
    } catch {
      throw .unreadable(error)
    }
  }

  /// The object of a record with those fields. Throws if the record is not that of an object.
  package init(_ fields: Fields, of name: Name, updatedAt: WallTime) throws(StoreError) {
    func text(_ name: Name) -> String? { if case .string(let text)? = fields[name] { text } else { nil } }
    guard let id = text("id").flatMap({ UUID($0) }), let bucket = text("bucket"), let path = text("path"),
      let hash = text("sha256"), let contentType = text("contentType"), let cacheControl = text("cacheControl"),
      case .int64(let size)? = fields["size"], case .timestamp(let createdAt)? = fields["createdAt"]
    else {
      throw StoreError(.corrupt, "the record is not that of an object", place: name.text)
    }
    let content = ObjectContent(
      hash: hash, size: Int(clamping: size), contentType: contentType, cacheControl: cacheControl,
      metadata: text("metadata"))
    self.init(
      id: id, bucket: bucket, path: path, content: content, createdAt: createdAt, updatedAt: updatedAt)
  }
}

extension FeedQuery {
  /// The feed with all objects.
  static let objects = FeedQuery(
    position: 0, isReversed: false, limit: .max, recordTypes: [ObjectTransaction.recordType], hasTombstones: false)
}

extension ZoneContent {
  /// All objects of the zone with their records, in the order of their last uploads.
  func objects() throws(EvaluationFailure) -> [(record: StoredRecord, object: StoredObject)] {
    let page = try feed(.objects).page
    let names = page.rows.map { Name(page.text($0.name)) }
    try require([.records(names, in: key)])
    var objects: [(record: StoredRecord, object: StoredObject)] = []
    for name in names {
      guard let record = try record(name), !record.isDeleted else { continue }
      objects.append((record, try StoredObject(record)))
    }
    return objects
  }
}
