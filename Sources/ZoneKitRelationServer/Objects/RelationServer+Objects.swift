import ZoneKitCatalogue
import ZoneKitExpressions
import ZoneKitRecords
import ZoneKitRelations
import ZoneKitSchema
import ZoneKitTables

/// Objects of the buckets that a schema makes: rows of `storage.objects`, whose policies decide who may read and write them.
/// Their bytes are in files that their hash names.
extension RelationServer {
  /// What a request for objects led to.
  package struct ObjectOutcome {
    /// The answer to the client.
    package var response: ObjectResponse
    /// The changes that were made, in their order.
    package var changes: [RelationChange] = []
    /// The hashes of bytes that belong to no object any more.
    package var unused: [String] = []
  }

  /// Why an upload is refused before its bytes are stored; nil if it may be tried.
  package func refusal(
    ofUploadTo path: String, in bucket: String, _ content: ObjectContent, _ context: EvaluationContext
  ) -> ObjectError? {
    guard ObjectPath.isUploadable(path) else { return .path(path) }
    do throws(ObjectError) {
      return try ObjectRun(schema, store, context).bucket(bucket).refusal(of: content)
    } catch {
      return error
    }
  }

  /// A request arrived. The context tells who sends it, and when. The bytes of an upload are stored.
  package mutating func carryOut(_ request: ObjectRequest, _ context: EvaluationContext) -> ObjectOutcome {
    guard request.paths.count <= ObjectRequest.objectLimit else {
      let message = "at most \(ObjectRequest.objectLimit) objects of one request are allowed"
      return ObjectOutcome(response: .refused(ObjectError(.request, message)))
    }
    var run = ObjectRun(schema, store, context)
    defer { store = run.statements.store }
    do throws(StoreError) {
      try run.statements.store.begin()
      let result = run.result(of: request)
      switch result {
      case .success(let (response, unused)):
        try run.statements.store.end(keeping: true)
        return ObjectOutcome(response: response, changes: run.statements.changes, unused: unused)
      case .failure(let error):
        try run.statements.store.end(keeping: false)
        var outcome = ObjectOutcome(response: .refused(error))
        // The bytes of a refused upload belong to no object, unless another one has the same.
        if case .put(_, _, let content, _) = request, (try? run.isUsed(content.hash)) == false {
          outcome.unused = [content.hash]
        }
        return outcome
      }
    } catch {
      return ObjectOutcome(response: .refused(.unavailable("the objects cannot be read or written: \(error)")))
    }
  }
}

/// One request for objects.
private struct ObjectRun<Store: RelationStore> {
  var statements: RowStatements<Store>
  private let security: RowSecurity
  /// The hashes of objects that were replaced or removed.
  private var released: [String] = []

  init(_ schema: PreparedSchema, _ store: Store, _ context: EvaluationContext) {
    statements = RowStatements(schema, on: store, context)
    security = RowSecurity(schema, role: context.role)
  }

  private var context: EvaluationContext { statements.context }

  private func table(_ name: ObjectName) throws(ObjectError) -> PreparedTable {
    guard let table = statements.schema.tables[name] else { throw .noBucket }
    return table
  }

  private func reading<Value>(_ body: () throws(RelationFailure) -> Value) throws(ObjectError) -> Value {
    do throws(RelationFailure) {
      return try body()
    } catch {
      throw ObjectError(error)
    }
  }

  /// The bucket of that name.
  func bucket(_ name: String) throws(ObjectError) -> StoredBucket {
    let table = try table(BuiltInTables.buckets)
    let row = try reading { () throws(RelationFailure) in
      try statements.row(of: table.name, with: table.places(of: ["id"]), [.text(name)])
    }
    guard let row else { throw .noBucket }
    return StoredBucket(row.values, table)
  }

  /// Whether an object has those bytes.
  func isUsed(_ hash: String) throws(ObjectError) -> Bool {
    let table = try table(BuiltInTables.objects)
    return try reading { () throws(RelationFailure) in
      try statements.row(of: table.name, with: table.places(of: ["version"]), [.text(hash)]) != nil
    }
  }

  private func unused() throws(ObjectError) -> [String] {
    var unused: [String] = []
    for hash in Set(released).sorted() where try !isUsed(hash) { unused.append(hash) }
    return unused
  }

  // MARK: Requests

  /// The answer to a request, and the hashes of bytes that no object has any more.
  mutating func result(of request: ObjectRequest) -> Result<(ObjectResponse, unused: [String]), ObjectError> {
    do throws(ObjectError) {
      return .success((try response(to: request), try unused()))
    } catch {
      return .failure(error)
    }
  }

  private mutating func response(to request: ObjectRequest) throws(ObjectError) -> ObjectResponse {
    let bucket = try bucket(request.bucket)
    switch request {
    case .put(_, let path, let content, let replaces):
      return .object(try put(path, in: bucket.name, content, replaces: replaces))
    case .find(_, let path, let access):
      if access == .everyone, !bucket.isPublic { throw .noBucket }
      guard let found = try found(path, in: bucket.name, isLimited: access == .caller) else { throw .notFound }
      return .object(found.object)
    case .remove(_, let paths): return .removed(try remove(paths, in: bucket.name))
    case .list(_, let listing): return .listed(listing.entries(of: try objects(below: listing.folder, in: bucket.name)))
    case .sign(_, let paths):
      var objects: [StoredObject?] = []
      for path in paths { objects.append(try found(path, in: bucket.name, isLimited: true)?.object) }
      return .signable(objects)
    }
  }

  /// The object at a path; nil if there is none, or if the role may not read it.
  private func found(
    _ path: String, in bucket: String, isLimited: Bool, for command: CreatePolicy.Command = .select
  ) throws(ObjectError) -> (row: StoredRow, object: StoredObject)? {
    let table = try table(BuiltInTables.objects)
    let row = try reading { () throws(RelationFailure) in
      let commands: [CreatePolicy.Command] = !isLimited ? [] : command == .select ? [.select] : [.select, command]
      var conditions = [table.condition(table.places(of: ["bucket_id", "name"]), [.text(bucket), .text(path)])]
      for command in commands {
        conditions.append(
          try RelationFailure.refusing { () throws(SQLFailure) in try security.using(command, of: table) })
      }
      var search = RowSearch(table.name, where: .all(conditions.compactMap(\.self)), context)
      search.limit = 1
      return try statements.store.rows(search).first
    }
    return row.map { ($0, StoredObject($0.values, table)) }
  }

  private func objects(below folder: String, in bucket: String) throws(ObjectError) -> [StoredObject] {
    let table = try table(BuiltInTables.objects)
    let rows = try reading { () throws(RelationFailure) in
      let name = table.places(table.places(of: ["name"]))[0]
      var conditions = [table.condition(table.places(of: ["bucket_id"]), [.text(bucket)])]
      if !folder.isEmpty {
        // The byte behind a slash is a zero.
        for (known, text) in [(SQLOperator.greater, folder + "/"), (.less, folder + "0")] {
          let bound = TypedExpression(.constant(.text(text)), .text)
          conditions.append(TypedExpression(.binary(name, known, bound), .boolean))
        }
      }
      conditions.append(
        try RelationFailure.refusing { () throws(SQLFailure) in try security.using(.select, of: table) })
      return try statements.store.rows(RowSearch(table.name, where: .all(conditions.compactMap(\.self)), context))
    }
    return rows.map { StoredObject($0.values, table) }
  }

  private mutating func put(
    _ path: String, in bucket: String, _ content: ObjectContent, replaces: Bool
  ) throws(ObjectError) -> StoredObject {
    let table = try table(BuiltInTables.objects)
    let known = try found(path, in: bucket, isLimited: false)
    if known != nil, !replaces { throw .duplicate }
    let values = StoredObject.row(at: path, in: bucket, content, of: table, context)
    let kept = ["id", "bucket_id", "name", "created_at"]
    let changed = values.keys.filter { !kept.contains(table.columns[$0].name) }.map { place in
      (place, TypedExpression(.column(ColumnPlace(source: 1, column: place)), table.columns[place].type))
    }
    let changes = Dictionary(uniqueKeysWithValues: changed)
    let conflict = replaces ? InsertConflict.updates(["bucket_id", "name"], changes, where: nil) : .fails
    let row: StoredRow?
    do throws(RelationFailure) {
      row = try statements.insert([values], into: table, conflict: conflict, isReturning: replaces).first
    } catch {
      throw ObjectError(error)
    }
    guard let row else { throw .notAllowed }
    if let known { released.append(known.object.content.hash) }
    return StoredObject(row.values, table)
  }

  private mutating func remove(_ paths: [String], in bucket: String) throws(ObjectError) -> [StoredObject] {
    let table = try table(BuiltInTables.objects)
    var removed: [StoredObject] = []
    for path in paths {
      guard let found = try found(path, in: bucket, isLimited: true, for: .delete) else { continue }
      do throws(RelationFailure) {
        try statements.delete([found.row], from: table)
      } catch {
        throw ObjectError(error)
      }
      released.append(found.object.content.hash)
      removed.append(found.object)
    }
    return removed
  }
}

extension PreparedTable {
  /// The places of columns that the table has.
  fileprivate func places(of names: [String]) -> [Int] { names.compactMap { index(of: $0) } }

  /// The value of a column of a row.
  fileprivate func value(_ name: String, of row: [Datum]) -> Datum { index(of: name).map { row[$0] } ?? .null }
}

/// A bucket as a schema makes it.
private struct StoredBucket {
  let name: String
  let isPublic: Bool
  private let sizeLimit: Int64?
  private let mediaTypes: [String]?

  init(_ row: [Datum], _ table: PreparedTable) {
    if case .text(let id) = table.value("id", of: row) { name = id } else { name = "" }
    isPublic = table.value("public", of: row) == .boolean(true)
    if case .integer(let limit) = table.value("file_size_limit", of: row) { sizeLimit = limit } else { sizeLimit = nil }
    if case .array(let types) = table.value("allowed_mime_types", of: row) {
      mediaTypes = types.compactMap { if case .text(let type) = $0 { type } else { nil } }
    } else {
      mediaTypes = nil
    }
  }

  /// Why the bucket does not take an object; nil if it does.
  func refusal(of content: ObjectContent) -> ObjectError? {
    if let sizeLimit, content.size > sizeLimit {
      return ObjectError(.tooLarge, "The object exceeded the maximum allowed size")
    }
    let isAllowed = mediaTypes?.contains { allowed in
      allowed == content.contentType || allowed == "*/*"
        || (allowed.hasSuffix("/*") && content.contentType.hasPrefix(allowed.dropLast()))
    }
    return isAllowed ?? true ? nil : .mediaType(content.contentType)
  }
}

extension StoredObject {
  /// The object of a row of `storage.objects`.
  fileprivate init(_ row: [Datum], _ table: PreparedTable) {
    func text(_ name: String) -> String { if case .text(let text) = table.value(name, of: row) { text } else { "" } }
    func time(_ name: String) -> WallTime {
      if case .timestamp(let time) = table.value(name, of: row) {
        WallTime(milliseconds: time / 1_000)
      } else {
        WallTime(milliseconds: 0)
      }
    }
    var members: [JSONBValue.Member] = []
    if case .jsonb(.object(let known)) = table.value("metadata", of: row) { members = known }
    func member(_ name: String) -> JSONBValue? { members.first { $0.key == name }?.value }
    func word(_ name: String, _ usual: String) -> String {
      if case .string(let text)? = member(name) { text } else { usual }
    }
    var size = 0
    if case .number(let number)? = member("size") { size = Int(number.text) ?? 0 }
    var own: String?
    if case .jsonb(let value) = table.value("user_metadata", of: row) { own = value.text }
    let content = ObjectContent(
      hash: text("version"), size: size, contentType: word("mimetype", "application/octet-stream"),
      cacheControl: word("cacheControl", "no-cache"), metadata: own)
    var id = UUID(high: 0, low: 0)
    if case .uuid(let known) = table.value("id", of: row) { id = known }
    self.init(
      id: id, bucket: text("bucket_id"), path: text("name"), content: content, createdAt: time("created_at"),
      updatedAt: time("updated_at"))
  }

  /// The values of a new row of `storage.objects`, by the places of its columns.
  fileprivate static func row(
    at path: String, in bucket: String, _ content: ObjectContent, of table: PreparedTable, _ context: EvaluationContext
  ) -> [Int: Datum] {
    let account = context.accountID
    let metadata: JSON = [
      "eTag": .string("\"\(content.hash)\""), "size": .integer(Int64(content.size)),
      "mimetype": .string(content.contentType), "cacheControl": .string(content.cacheControl),
      "contentLength": .integer(Int64(content.size)), "httpStatusCode": 200,
    ]
    let own = content.metadata.flatMap { try? JSON(exactly: $0) }.flatMap { JSONBValue($0) }
    let values: [String: Datum] = [
      "id": .uuid(context.randomUUID()), "bucket_id": .text(bucket), "name": .text(path),
      "owner": account.map { .uuid($0) } ?? .null, "owner_id": account.map { .text($0.text) } ?? .null,
      "created_at": .timestamp(context.now), "updated_at": .timestamp(context.now),
      "last_accessed_at": .timestamp(context.now), "version": .text(content.hash),
      "metadata": JSONBValue(metadata).map { .jsonb($0) } ?? .null, "user_metadata": own.map { .jsonb($0) } ?? .null,
    ]
    return Dictionary(
      uniqueKeysWithValues: values.compactMap { name, value in table.index(of: name).map { ($0, value) } })
  }
}

extension ObjectError {
  /// The error of a read or a write of rows.
  fileprivate init(_ failure: RelationFailure) {
    switch failure {
    case .store(let error): self = .unavailable("the objects cannot be read or written: \(error)")
    case .refused(let failure) where failure.code == .notAllowed: self = .notAllowed
    case .refused(let failure) where failure.code == .uniqueViolation: self = .duplicate
    case .refused(let failure) where failure.code == .storeFailed: self = .unavailable(failure.message)
    case .refused(let failure): self.init(.request, failure.message)
    }
  }
}
