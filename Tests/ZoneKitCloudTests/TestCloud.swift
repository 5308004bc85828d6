import ZoneKitRecords
import ZoneKitMemoryStores
import ZoneKitCloud

/// A cloud under test: one caller's requests, one turn each unless said otherwise.
struct TestCloud {
  var server = ZoneServer(store: MemoryZoneStore())
  var generator: SplitMix64
  var database = DatabaseID(container: "iCloud.a", environment: .development, user: "nanny", scope: .private)
  var caller = Caller(user: "nanny", deviceID: "d1")
  var now = WallTime(milliseconds: 1_700_000_000_000)
  private var lastTicket = 0
  /// How much of its turn the last request took.
  private(set) var lastCost = TurnCost()

  let notes = ZoneID(zoneName: "Notes")

  init(seed: UInt64 = 1) { generator = SplitMix64(seed: seed) }

  /// A cloud whose database has the zone `Notes`.
  static func withNotes(seed: UInt64 = 1) -> TestCloud {
    var cloud = TestCloud(seed: seed)
    _ = cloud.ask(.modifyZones([.create(cloud.notes)]))
    return cloud
  }

  /// Takes a request in, without ending the turn.
  @discardableResult
  mutating func receive(
    _ request: CloudRequest, visibleDelay: Int64? = nil, room: Int = AnswerSize.limit
  ) -> Ticket {
    lastTicket += 1
    let ticket = Ticket(lastTicket)
    lastCost = server.receive(
      request, ticket: ticket, in: database, from: caller, at: now, visibleDelay: visibleDelay, room: room,
      using: &generator)
    return ticket
  }

  /// Ends the turn: all its effects.
  mutating func endTurn() -> [CloudEffect] { server.endTurn(using: &generator) }

  /// One request, one turn: all its effects.
  mutating func effects(of request: CloudRequest) -> [CloudEffect] {
    receive(request)
    return endTurn()
  }

  /// One request, one turn: its answer.
  mutating func ask(
    _ request: CloudRequest, visibleDelay: Int64? = nil, room: Int = AnswerSize.limit
  ) -> CloudResponse {
    receive(request, visibleDelay: visibleDelay, room: room)
    return endTurn().answers[0]
  }

  /// One administrator's verb, one turn: all its effects.
  mutating func administer(_ deed: Administration) -> [CloudEffect] {
    lastTicket += 1
    server.administer(
      deed, ticket: Ticket(lastTicket), in: database, from: caller, at: now, using: &generator)
    return endTurn()
  }

  /// One operation on `Notes`, not atomic: its result.
  mutating func perform(_ operation: RecordOperation) -> RecordResult {
    modify([operation])[0]
  }

  /// Several operations on `Notes`: their results.
  mutating func modify(_ operations: [RecordOperation], isAtomic: Bool = false) -> [RecordResult] {
    switch ask(.modifyRecords(ModifyRecords(zoneID: notes, operations: operations, isAtomic: isAtomic))) {
    case .records(let results), .atomicFailure(let results): results
    default: []
    }
  }

  /// The tag of a record of `Notes`; nil where it is not there.
  mutating func tag(of name: Name) -> ChangeTag? { record(name)?.changeTag }

  mutating func record(_ name: Name) -> Record? {
    guard case .records(let results) = ask(.lookupRecords(zoneID: notes, recordNames: [name])),
      case .record(let record) = results[0]
    else { return nil }
    return record
  }

  /// The fields of a record of `Notes`.
  mutating func fields(of name: Name) throws -> Fields? { try record(name)?.fields.decoded() }

  /// A page of the feed of `Notes`, or why there is none.
  mutating func changes(
    since token: ChangeToken? = nil, limit: Int = 200, isReversed: Bool = false, types: [Name]? = nil
  ) throws(CloudError) -> ZoneChanges {
    let query = ZoneChangesQuery(
      zoneID: notes, token: token, limit: limit, isReversed: isReversed, recordTypes: types)
    guard case .zoneChanges(let results) = ask(.fetchZoneChanges([query])) else {
      throw CloudError(.internalError, "not the answer to a fetch of zone changes")
    }
    switch results[0] {
    case .changes(let changes): return changes
    case .failed(_, let error): throw error
    }
  }

  /// An asset whose bytes have a hash of that number.
  static func asset(_ number: UInt8) -> Asset {
    Asset(fileChecksum: Base64.encode([UInt8](repeating: number, count: 32)), size: Int64(number))
  }

  /// The value as it is sent, after the bytes of its assets were uploaded for that field.
  mutating func uploaded(_ value: FieldValue, for place: AssetPlace?) -> FieldValue {
    switch value {
    case .asset(let asset): .asset(upload(asset, for: place))
    case .assetList(let assets): .assetList(assets.map { upload($0, for: place) })
    default: value
    }
  }

  /// The asset with its receipt, after its bytes were uploaded.
  mutating func upload(_ asset: Asset, for place: AssetPlace?) -> Asset {
    server.store.setAsset(asset.fileChecksum, size: asset.size, in: database)
    return AssetReceipt(asset, for: place).asset(in: database)
  }

  var header: ZoneHeader? {
    server.status(of: database).zones.first { $0.zoneName == notes.zoneName }
  }
}

extension [CloudEffect] {
  var answers: [CloudResponse] {
    compactMap { if case .answer(_, let response) = $0 { response } else { nil } }
  }

  var notices: [Notice] {
    compactMap { if case .notify(let notice) = $0 { notice } else { nil } }
  }

  var facts: [CloudFact] {
    compactMap { if case .fact(let fact) = $0 { fact } else { nil } }
  }
}

extension RecordResult {
  var record: Record? { if case .record(let record) = self { record } else { nil } }
  var error: CloudError? { if case .failed(_, let error) = self { error } else { nil } }
}

extension RecordOperation {
  /// A create of a note with those fields.
  static func create(_ name: Name?, type: Name? = "Note", _ fields: [NamedFieldChange] = []) -> RecordOperation {
    RecordOperation(.create, recordName: name, recordType: type, fields: fields)
  }

  /// A create of a note that refers to others.
  static func create(_ name: Name, _ action: Reference.Action, to targets: Name...) -> RecordOperation {
    let references = targets.map { Reference(recordName: $0, action: action) }
    return create(name, [.typed("targets", .referenceList(references))])
  }

  static func delete(_ name: Name) -> RecordOperation { RecordOperation(.delete, recordName: name) }
}

extension NamedFieldChange {
  static func typed(_ name: Name, _ value: FieldValue) -> NamedFieldChange {
    NamedFieldChange(name, .set(value, isTyped: true, isEncrypted: false))
  }

  static func guessed(_ name: Name, _ value: FieldValue) -> NamedFieldChange {
    NamedFieldChange(name, .set(value, isTyped: false, isEncrypted: false))
  }
}
