import ZoneKitRecords

extension CloudKitSamples {
  /// A request as a device makes one. Its caller is named where the request repeats the device.
  mutating func request(of caller: Caller) -> CloudRequest {
    switch int(0...17) {
    case 0: .listZones
    case 1: .lookupZones(some { $0.zoneID() })
    case 2: .modifyZones(some { $0.flip() ? .create($0.zoneID()) : .delete($0.zoneID()) })
    case 3: .lookupRecords(zoneID: zoneID(), recordNames: some { $0.name() })
    case 4: .fetchDatabaseChanges(since: maybe { $0.token() }, limit: int(1...200))
    case 5: .fetchZoneChanges(some { $0.zoneQuery() })
    case 6: .listSubscriptions
    case 7: .lookupSubscriptions(some { $0.text() })
    case 8: .modifySubscriptions(some { $0.subscriptionOperation() })
    case 9: .createPushToken(environment: one(of: Environment.allCases))
    case 11: .createUploads(zoneID: zoneID(), some { $0.assetUpload() })
    case 12:
      .rereferenceAssets(
        zoneID: zoneID(), some { AssetPlace(recordName: $0.filledName(), fieldName: $0.filledName()) })
    case 10:
      .registerPushToken(
        PushRegistration(
          token: "t" + text(), environment: one(of: Environment.allCases), deviceID: caller.deviceID))
    case 13: .queryRecords(some { $0.query() })
    case 14: .fetchUsers(userQuery())
    case 15: .resolveShares(some { $0.shareRequest() })
    case 16: .acceptShares(some { $0.shareRequest() })
    default:
      .modifyRecords(ModifyRecords(zoneID: zoneID(), operations: some { $0.recordOperation() }, isAtomic: flip()))
    }
  }

  private mutating func shareRequest() -> ShareRequest {
    ShareRequest("g" + text(), fetchesRoot: flip(), rootFields: maybe { $0.some { $0.filledName() } })
  }

  private mutating func filledName() -> Name { Name("n" + text()) }

  private mutating func assetUpload() -> AssetUpload {
    AssetUpload(recordName: maybe { $0.name() }, recordType: filledName(), fieldName: filledName())
  }

  private mutating func assetResult() -> AssetResult {
    flip()
      ? .asset(asset(withReceipt: text()))
      : .failed(AssetPlace(recordName: filledName(), fieldName: filledName()), error())
  }

  private mutating func asset(withReceipt receipt: String) -> Asset {
    Asset(fileChecksum: "c" + text(), size: integer() & .max, receipt: receipt)
  }

  private mutating func userQuery() -> UserQuery {
    switch int(0...2) {
    case 0: .caller
    case 1: .discover(some { $0.userLookup() })
    default:
      flip() ? .lookup(some { .emailAddress("a" + $0.text()) }) : .lookup(some { .userRecordName($0.name()) })
    }
  }

  private mutating func userLookup() -> UserLookup {
    one(of: [.userRecordName(name()), .emailAddress(text()), .phoneNumber(text())])
  }

  /// A user in an answer. Only some forms have an address.
  private mutating func user(_ lookup: UserLookup, withAddress: Bool = false) -> UserResult {
    .user(
      UserIdentity(
        userRecordName: name(), firstName: maybe { $0.text() }, lastName: maybe { $0.text() },
        emailAddress: withAddress ? maybe { $0.text() } : nil), lookup)
  }

  private mutating func users(_ query: UserQuery, of caller: Caller) -> [UserResult] {
    switch query {
    case .caller: [user(.userRecordName(caller.userRecordName))]
    case .discover(let lookups): lookups.filter { _ in flip() }.map { user($0) }
    case .lookup(let lookups): lookups.map { flip() ? user($0, withAddress: true) : .failed($0, error()) }
    }
  }

  private mutating func zoneQuery() -> ZoneChangesQuery {
    ZoneChangesQuery(
      zoneID: zoneID(), token: maybe { $0.token() }, limit: int(1...200), isReversed: flip(),
      recordTypes: maybe { $0.some { $0.name() } }, acknowledged: some { ChangeTag($0.name().text) })
  }

  mutating func query() -> QueryRecords {
    let filters = some { (samples: inout CloudKitSamples) in
      CloudQuery.Filter(
        samples.one(of: CloudQuery.Comparator.allCases), samples.maybe { $0.queryKey() }, samples.value(),
        distance: samples.maybe { Double($0.int(0...9)) })
    }
    let sort = some { (samples: inout CloudKitSamples) in
      CloudQuery.Sort(
        samples.queryKey(), isAscending: samples.flip(),
        relativeLocation: samples.maybe { Location(latitude: Double($0.int(0...90)), longitude: 1.5) })
    }
    return QueryRecords(
      CloudQuery("Note", where: filters, sortedBy: sort), in: maybe { $0.zoneID() }, limit: int(1...200),
      marker: maybe { "m" + $0.text() })
  }

  private mutating func queryKey() -> CloudQuery.Key {
    flip() ? .field("f") : .system(one(of: CloudQuery.SystemField.allCases))
  }

  private mutating func queryResult() -> QueryResult {
    guard int(0...4) > 0 else { return .failed(error()) }
    let page = RecordPage(some { .saved($0.record()) })
    let runs = page.count == 0 ? [] : [QueriedRecords.Run(zoneID: zoneID(), page: page)]
    return .records(QueriedRecords(runs: runs, marker: maybe { "m" + $0.text() }, token: nil))
  }

  private mutating func subscriptionOperation() -> SubscriptionOperation {
    switch int(0...2) {
    case 0: .create(subscription())
    case 1: .update(subscription())
    default: .delete(text())
    }
  }

  private mutating func recordOperation() -> RecordOperation {
    RecordOperation(
      one(of: RecordOperation.Kind.allCases), recordName: maybe { $0.name() }, recordType: maybe { $0.name() },
      changeTag: maybe { ChangeTag($0.text()) }, fields: some { NamedFieldChange($0.name(), $0.change()) },
      parent: one(of: [.keep, .clear, .set(name())]))
  }

  /// An answer that fits a request, with as many items; zones are named as a device names them.
  mutating func response(to request: CloudRequest, of caller: Caller = CloudKit.caller) -> CloudResponse {
    guard int(0...7) > 0 else { return .failure(error()) }
    return switch request {
    case .listZones: .zones(some { $0.zoneResult() })
    case .lookupZones(let items): .zones(items.map { _ in zoneResult() })
    case .modifyZones(let items): .zones(items.map { _ in zoneResult() })
    case .lookupRecords(_, let items): .records(items.map { _ in recordResult() })
    case .modifyRecords(let batch):
      flip()
        ? .records(batch.operations.map { _ in recordResult() })
        : .atomicFailure(batch.operations.map { _ in .failed(maybe { $0.name() }, error()) })
    case .createUploads(_, let items):
      .uploads(
        items.map { _ in AssetUploadToken(recordName: filledName(), fieldName: filledName(), token: "t\(int(0...9))") })
    case .rereferenceAssets(_, let items): .assets(items.map { _ in assetResult() })
    case .fetchDatabaseChanges: .databaseChanges(databaseChanges())
    case .queryRecords(let queries): .queries(queries.map { _ in queryResult() })
    case .fetchZoneChanges(let queries): .zoneChanges(queries.map { _ in zoneChanges() })
    case .listSubscriptions: .subscriptions(some { $0.subscriptionResult() })
    case .lookupSubscriptions(let items): .subscriptions(items.map { _ in subscriptionResult() })
    case .modifySubscriptions(let items): .subscriptions(items.map { _ in subscriptionResult() })
    case .fetchUsers(let query): .users(users(query, of: caller))
    case .resolveShares(let requests), .acceptShares(let requests):
      .shares(requests.map { .failed($0, error()) })
    case .createPushToken, .registerPushToken: .pushToken(environment: one(of: Environment.allCases), token: text())
    }
  }

  private mutating func zoneResult() -> ZoneResult {
    switch int(0...2) {
    case 0: .zone(Zone(zoneID: zoneID(), token: maybe { $0.token() }, isAtomic: flip()))
    case 1: .deleted(zoneID())
    default: .failed(zoneID(), error())
    }
  }

  private mutating func recordResult() -> RecordResult {
    switch int(0...3) {
    case 0: .deleted(name())
    case 1: .failed(maybe { $0.name() }, error())
    default: .record(record())
    }
  }

  private mutating func databaseChanges() -> DatabaseChanges {
    DatabaseChanges(
      zones: some { (samples: inout CloudKitSamples) -> ChangedZone in
        samples.flip()
          ? .deleted(samples.zoneID(), samples.ending())
          : .changed(samples.zoneID(), token: samples.token())
      }, token: token(), moreComing: flip())
  }

  private mutating func ending() -> ZoneEnding {
    ZoneEnding(
      ZoneDeletion.allCases[int(0...2)], at: maybe { WallTime(milliseconds: 1_800_000_000_000 + Int64($0.int(0...9))) })
  }

  private mutating func zoneChanges() -> ZoneChangesResult {
    guard int(0...4) > 0 else { return .failed(zoneID(), error()) }
    let changes = some { (samples: inout CloudKitSamples) -> RecordChange in
      samples.int(0...3) > 0
        ? .saved(samples.record())
        : .deleted(recordName: samples.name(), changeTag: ChangeTag(samples.text()))
    }
    return .changes(
      ZoneChanges(zoneID: zoneID(), page: RecordPage(changes), token: token(), moreComing: flip()))
  }

  private mutating func subscriptionResult() -> SubscriptionResult {
    switch int(0...3) {
    case 0: .deleted(name().text)
    case 1: .failed(maybe { $0.name().text }, error())
    case 2: .replaced(subscription())
    default: .subscription(subscription())
    }
  }
}

extension Subscription.Kind {
  fileprivate func naming(_ named: (ZoneID) -> ZoneID) -> Subscription.Kind {
    switch self {
    case .database: return .database
    case .zone(let zoneID): return .zone(named(zoneID))
    case .query(var query):
      query.zoneID = query.zoneID.map(named)
      return .query(query)
    }
  }
}

extension CloudResponse {
  /// The answer as the cloud has it: the caller's zones under the caller's user record name.
  func owned(by owner: Name) -> CloudResponse {
    func named(_ zoneID: ZoneID) -> ZoneID {
      ZoneID(zoneName: zoneID.zoneName, owner: .user(zoneID.owner.recordName(callerIs: owner)))
    }
    func renamed(_ subscription: Subscription) -> Subscription {
      var renamed = subscription
      renamed.kind = subscription.kind.naming(named)
      return renamed
    }
    switch self {
    case .zones(let results):
      return .zones(
        results.map { result in
          switch result {
          case .zone(let zone): .zone(Zone(zoneID: named(zone.zoneID), token: zone.token, isAtomic: zone.isAtomic))
          case .deleted(let zoneID): .deleted(named(zoneID))
          case .failed(let zoneID, let error): .failed(named(zoneID), error)
          }
        })
    case .databaseChanges(var changes):
      changes.zones = changes.zones.map { zone in
        switch zone {
        case .changed(let zoneID, let token): .changed(named(zoneID), token: token)
        case .deleted(let zoneID, let reason): .deleted(named(zoneID), reason)
        }
      }
      return .databaseChanges(changes)
    case .queries(let results):
      return .queries(
        results.map { result in
          guard case .records(var records) = result else { return result }
          records.runs = records.runs.map { QueriedRecords.Run(zoneID: named($0.zoneID), page: $0.page) }
          return .records(records)
        })
    case .zoneChanges(let results):
      return .zoneChanges(
        results.map { result in
          switch result {
          case .changes(let page):
            .changes(
              ZoneChanges(
                zoneID: named(page.zoneID), page: page.page, token: page.token, moreComing: page.moreComing))
          case .failed(let zoneID, let error): .failed(named(zoneID), error)
          }
        })
    case .subscriptions(let results):
      return .subscriptions(
        results.map { result in
          switch result {
          case .subscription(let subscription): .subscription(renamed(subscription))
          case .replaced(let subscription): .replaced(renamed(subscription))
          case .deleted, .failed: result
          }
        })
    case .records, .atomicFailure, .uploads, .assets, .pushToken, .failure, .users, .shares: return self
    }
  }
}
