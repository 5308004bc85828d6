import ZoneKitCloud
import ZoneKitRecords
import ZoneKitTables

/// A request for objects of one account. Paths that belong to another account are taken as if nothing were there.
struct ObjectTransaction: ZoneTransaction {
  let app: TableApp
  let request: ObjectRequest
  let account: UUID
  let now: WallTime

  /// The record type of objects.
  static let recordType: Name = "objects"

  private var key: ZoneKey { ZoneKey(database: app.database(of: account), zoneName: TableApp.objects) }

  /// The places that the request names, in their order; nil for one of another account.
  private var places: [ObjectPath?] {
    request.paths.map { ObjectPath($0) }.map { $0?.account == account ? $0 : nil }
  }

  private func recordName(_ place: ObjectPath) -> Name { Name("\(request.bucket)/\(place.text)") }

  /// A list reads all objects of the account.
  var mayTakeLong: Bool { if case .list = request { true } else { false } }

  var likelyNeeds: [Need] {
    let records = Need.records(places.compactMap { $0.map(recordName) }, in: key)
    switch request {
    case .list: return [.zone(key), .feed(.objects, in: key)]
    case .find, .sign: return [.zone(key), records]
    case .put, .remove:
      return [.database(key.database), .zone(key), records, .schema(of: [Self.recordType], in: key)]
    }
  }

  func outcome(
    reading reader: inout NotingReader, using generator: inout some RandomNumberGenerator
  ) throws(EvaluationFailure) -> TransactionOutcome {
    switch request {
    case .put(let bucket, _, let content, let replaces):
      return try put(content, in: bucket, replaces: replaces, reading: &reader, using: &generator)
    case .remove: return try remove(reading: &reader, using: &generator)
    case .find:
      let found = try found(reading: &reader).first ?? nil
      return answer(found.map { .object($0) } ?? .refused(.notFound))
    case .sign: return answer(.signable(try found(reading: &reader)))
    case .list(_, let listing):
      let objects = try reader.content(of: key).objects().map(\.object)
      var canonical = listing
      var segments = ObjectPath.segments(of: listing.folder)
      let isOwn = listing.folder.isEmpty || segments.first.flatMap { UUID($0) } == account
      if !listing.folder.isEmpty {
        segments[0] = Substring(account.text)
        canonical.folder = segments.joined(separator: "/")
      }
      return answer(.listed(isOwn ? canonical.entries(of: objects) : []))
    }
  }

  private func answer(
    _ response: ObjectResponse, unused: [String] = [], changing zones: [ZoneOverlay] = []
  ) -> TransactionOutcome {
    let answer = ObjectServer.Answer(response: response, unused: unused)
    return TransactionOutcome(TransactionAnswer(answer, size: size(of: response)), changing: zones)
  }

  /// The approximate number of bytes of the answer to the client. An object that is read may come with its bytes.
  private func size(of response: ObjectResponse) -> Int {
    let perObject = 500
    switch response {
    case .object(let object):
      if case .find = request { return object.content.size + perObject }
      return perObject
    case .removed(let objects): return objects.count * perObject
    case .listed(let entries): return entries.count * perObject
    case .signable(let objects): return objects.count * perObject
    case .refused: return 0
    }
  }

  // MARK: Reading

  /// The objects that the request names, in its order; nil for one that does not exist.
  private func found(reading reader: inout NotingReader) throws(EvaluationFailure) -> [StoredObject?] {
    let content = reader.content(of: key)
    try content.require([.records(places.compactMap { $0.map(recordName) }, in: key)])
    var found: [StoredObject?] = []
    for place in places {
      guard let place, let record = try content.record(recordName(place)), !record.isDeleted else {
        found.append(nil)
        continue
      }
      found.append(try StoredObject(record))
    }
    return found
  }

  // MARK: Writing

  private func put(
    _ content: ObjectContent, in bucket: String, replaces: Bool, reading reader: inout NotingReader,
    using generator: inout some RandomNumberGenerator
  ) throws(EvaluationFailure) -> TransactionOutcome {
    guard let place = places.first ?? nil else { return answer(.refused(.notAllowed)) }
    let name = recordName(place)
    var zone = try ZoneOverlay(of: key, at: now, reading: &reader, using: &generator)
    let before = try zone.live(name)
    guard replaces || before == nil else {
      let used = try reader.content(of: key).objects().contains { $0.object.content.hash == content.hash }
      return answer(.refused(.duplicate), unused: used ? [] : [content.hash])
    }
    let known = try before.map { (record) throws(EvaluationFailure) in try StoredObject(record) }
    let stamp = zone.nextStamp(at: now)
    let object = StoredObject(
      id: known?.id ?? UUID(using: &generator), bucket: bucket, path: place.text, content: content,
      createdAt: known?.createdAt ?? stamp, updatedAt: stamp)
    let modified = Authorship(at: stamp, author: author)
    let fields = object.fields
    try zone.define(StoredObject.definitions(missingIn: zone.schema(of: Self.recordType)))
    _ = try zone.put(
      StoredRecord(
        recordName: name, recordType: Self.recordType, fields: EncodedFields(fields), sequence: 0,
        created: before?.created ?? modified, modified: modified, parent: nil, references: []))
    let unused = try unused(known.map { [(name, $0)] } ?? [], keeping: content.hash, reading: &reader)
    return answer(.object(object), unused: unused, changing: [zone])
  }

  private func remove(
    reading reader: inout NotingReader, using generator: inout some RandomNumberGenerator
  ) throws(EvaluationFailure) -> TransactionOutcome {
    var zone = try ZoneOverlay(of: key, at: now, reading: &reader, using: &generator)
    var removed: [(name: Name, object: StoredObject)] = []
    for place in places {
      guard let place, let record = try zone.live(recordName(place)) else { continue }
      removed.append((record.recordName, try StoredObject(record)))
      try zone.bury(record, by: Authorship(at: zone.nextStamp(at: now), author: author))
    }
    let unused = try unused(removed, keeping: nil, reading: &reader)
    return answer(.removed(removed.map(\.object)), unused: unused, changing: removed.isEmpty ? [] : [zone])
  }

  private var author: Author { Author(userRecordName: UserRecordName.of(user: Name(account.text))) }

  /// The hashes of those objects that no other object of the account has, except one that is still needed.
  private func unused(
    _ gone: [(name: Name, object: StoredObject)], keeping hash: String?, reading reader: inout NotingReader
  ) throws(EvaluationFailure) -> [String] {
    guard !gone.isEmpty else { return [] }
    let names = Set(gone.map(\.name))
    let kept = try reader.content(of: key).objects().filter { !names.contains($0.record.recordName) }
    let used = Set(kept.map(\.object.content.hash) + (hash.map { [$0] } ?? []))
    return Set(gone.map(\.object.content.hash)).subtracting(used).sorted()
  }
}
