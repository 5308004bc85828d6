import ZoneKitRecords

/// Translates a coordinator's requests to the protocol of documents, and the answers back. One request becomes one
/// request, and nothing is kept between them.
package struct DocumentExchange {
  /// The app whose documents are synced.
  package let app: DocumentApp
  /// The account.
  let user: Name
  /// The device that asks.
  let deviceID: String

  /// The exchange of a device.
  package init(_ app: DocumentApp, user: Name, deviceID: String) {
    self.app = app
    self.user = user
    self.deviceID = deviceID
  }

  /// What is to be done for a request.
  package enum Step: Hashable, Sendable {
    /// Ask this; `response` makes the answer.
    case ask(DocumentRequest)
    /// Answer it now, because it cannot be asked.
    case answer(CloudResponse)
    /// It is about push tokens or subscriptions, which this protocol does not have. It goes over CloudKit Web Services.
    case other
  }

  /// What is to be done for a request of the coordinator.
  package func step(for request: CloudRequest) -> Step {
    switch request {
    case .fetchDatabaseChanges(since: let token, limit: _): return status(since: token?.unlessEmpty)
    case .fetchZoneChanges(let queries):
      guard queries.count == 1 else { return .answer(.failure(Self.refused("changes of more than one zone"))) }
      return changes(queries[0])
    case .modifyRecords(let batch):
      guard let feed = feed(of: batch.zoneID) else { return .answer(.failure(Self.noZone(batch.zoneID))) }
      let changes = batch.operations.compactMap { try? change($0, in: feed).get() }
      // A push without changes would begin the data set.
      if changes.isEmpty {
        return .answer(response(.pushed(PushAnswer([], at: WallTime(milliseconds: 0))), to: request))
      }
      return .ask(.push(DocumentPush(from: deviceID, decider: .client, changes: changes)))
    case .lookupRecords(let zoneID, let names):
      guard let feed = feed(of: zoneID) else { return .answer(.failure(Self.noZone(zoneID))) }
      return .ask(.lookup(DocumentLookup(names.compactMap { DocumentName(recordName: $0, in: feed) })))
    case .modifyZones(let operations):
      guard operations.allSatisfy({ if case .create(let id) = $0 { feed(of: id) != nil } else { false } }) else {
        return .answer(.failure(Self.refused("the deletion of zones")))
      }
      return .ask(.push(DocumentPush(from: deviceID, decider: .client, changes: [])))
    case .queryRecords: return .answer(.failure(Self.refused("queries")))
    case .createUploads, .rereferenceAssets: return .answer(.failure(Self.refused("assets")))
    case .listZones, .lookupZones: return .answer(.failure(Self.refused("lists of zones")))
    case .listSubscriptions, .lookupSubscriptions, .modifySubscriptions, .fetchUsers, .createPushToken,
      .registerPushToken, .resolveShares, .acceptShares:
      return .other
    }
  }

  /// The answer to the coordinator's request, given that to `step`.
  package func response(_ response: DocumentResponse, to request: CloudRequest) -> CloudResponse {
    if case .refused(let error) = response { return refusal(CloudError(error), of: request) }
    switch (request, response) {
    case (.fetchDatabaseChanges, .status(let answer)): return .databaseChanges(databaseChanges(answer))
    case (.fetchZoneChanges(let queries), .pulled(let answer)): return page(answer, of: queries[0].zoneID)
    case (.fetchZoneChanges(let queries), .snapshot(let answer)): return page(answer, to: queries[0])
    case (.modifyRecords(let batch), .pushed(let answer)): return .records(results(answer, of: batch))
    case (.lookupRecords(_, let names), .found(let answer)):
      guard answer.next == nil else {
        return .failure(
          CloudError(.limitExceeded, "the server answered only some of the \(names.count) names; ask for fewer at once")
        )
      }
      return .records(results(answer.documents, names))
    case (.modifyZones(let operations), .pushed):
      return .zones(operations.map { .zone(Zone(zoneID: $0.zoneID, token: nil, isAtomic: false)) })
    default:
      return .failure(CloudError(.internalError, "the server answered something that was not asked for"))
    }
  }

  // MARK: Zones

  /// The feed of a zone; nil if it is not one of the app's.
  func feed(of zoneID: ZoneID) -> DocumentFeed? {
    DocumentFeed.allCases.first { app.zone(of: $0) == zoneID.zoneName }
  }

  /// The error for a zone that no feed has.
  private static func noZone(_ zoneID: ZoneID) -> CloudError {
    CloudError(.zoneNotFound, "there is no feed for zone \(zoneID.zoneName)")
  }

  private static func refused(_ what: String) -> CloudError {
    CloudError(.invalidArguments, "the protocol of documents has no request for \(what)")
  }

  /// The answer to a refused request. An error that is about the zone is that of the query. A cursor of another data set
  /// means that the server lost what it had, so devices read everything and offer what they have, unless somebody deleted
  /// that data set.
  private func refusal(_ error: CloudError, of request: CloudRequest) -> CloudResponse {
    guard case .fetchZoneChanges(let queries) = request, error.code.isOfZone else { return .failure(error) }
    return .zoneChanges(
      queries.map { query in
        guard error.code == .zoneNotFound, query.token?.unlessEmpty != nil else { return .failed(query.zoneID, error) }
        var expired = CloudError(.changeTokenExpired, error.reason)
        expired.ending = error.ending
        expired.isAfterLoss = error.ending == nil
        return .failed(query.zoneID, expired)
      })
  }

  // MARK: Feeds

  private func status(since token: ChangeToken?) -> Step {
    guard let token else { return .ask(.status(since: nil)) }
    do throws(DocumentCursor.Problem) {
      return .ask(.status(since: try DocumentPosition(token.text)))
    } catch {
      return .answer(.failure(Self.expired))
    }
  }

  private static let expired = CloudError(
    .changeTokenExpired, "the change token is not from this server; fetch again without a token")

  private func changes(_ query: ZoneChangesQuery) -> Step {
    guard let feed = feed(of: query.zoneID), !query.isReversed, query.recordTypes == nil else {
      return .answer(.zoneChanges([.failed(query.zoneID, Self.noZone(query.zoneID))]))
    }
    guard let token = query.token?.unlessEmpty else {
      return .ask(
        .snapshot(
          DocumentSnapshot(
            DocumentCursor(startOf: feed, .snapshot, includesDeleted: true), limit: query.limit)))
    }
    if let page = try? DocumentCursor(token.text, .snapshot), page.feed == feed {
      return .ask(.snapshot(DocumentSnapshot(page, limit: query.limit)))
    }
    guard let cursor = try? DocumentCursor(token.text, .changes), cursor.feed == feed else {
      return .answer(.zoneChanges([.failed(query.zoneID, Self.expired)]))
    }
    let acknowledged = query.acknowledged.compactMap { DocumentTag($0.text) }
    return .ask(.pull(DocumentPull(cursor, limit: query.limit, acknowledged: acknowledged)))
  }

  private func databaseChanges(_ answer: StatusAnswer) -> DatabaseChanges {
    let zones = answer.feeds.map { feed -> ChangedZone in
      let id = ZoneID(zoneName: app.zone(of: feed.feed))
      return switch feed.state {
      // The cursor of a data set that was reset is refused, and then everything is read and offered again.
      case .changed, .reset: .changed(id, token: ChangeToken(""))
      case .deleted: .deleted(id, ZoneEnding(.deleted, at: feed.deletedAt))
      case .purged: .deleted(id, ZoneEnding(.purged, at: feed.deletedAt))
      }
    }
    return DatabaseChanges(zones: zones, token: ChangeToken(answer.position.text), moreComing: answer.hasMore)
  }

  private func page(_ answer: PullAnswer, of zoneID: ZoneID) -> CloudResponse {
    let changes = answer.entries.map { entry -> RecordChange in
      switch entry {
      case .document(let document): .saved(record(document))
      case .tombstone(let name, let version):
        .deleted(recordName: name.recordName, changeTag: ChangeTag(version.tag?.text ?? ""))
      }
    }
    return page(changes, answer.cursor, moreComing: answer.hasMore, of: zoneID)
  }

  /// A page of the documents that were there when the first page was read. What changed since follows behind the cursor
  /// of the last one, and the device has to read it too: it may have learned of these changes before it went on with the
  /// pages, and then nothing tells of them again.
  private func page(_ answer: SnapshotAnswer, to query: ZoneChangesQuery) -> CloudResponse {
    guard let next = answer.next ?? answer.cursor else {
      return .failure(CloudError(.internalError, "the page has neither `nextPage` nor `cursor`"))
    }
    let isOnlyPage = answer.next == nil && query.token?.unlessEmpty == nil
    return page(answer.documents.map { .saved(record($0)) }, next, moreComing: !isOnlyPage, of: query.zoneID)
  }

  private func page(
    _ changes: [RecordChange], _ cursor: DocumentCursor, moreComing: Bool, of zoneID: ZoneID
  ) -> CloudResponse {
    .zoneChanges([
      .changes(
        ZoneChanges(
          zoneID: zoneID, page: RecordPage(changes), token: ChangeToken(cursor.text), moreComing: moreComing))
    ])
  }

  /// The record of a document.
  func record(_ document: Document) -> Record {
    record(
      document.name.recordName, document.name.collection, document.content,
      ChangeResult.Version(
        number: document.version, tag: document.tag, committedAt: document.committedAt, deviceID: document.deviceID))
  }

  /// The record with those fields in that version.
  func record(
    _ name: Name, _ collection: Name, _ fields: EncodedFields, _ version: ChangeResult.Version
  ) -> Record {
    let author = Author(
      userRecordName: UserRecordName.of(user: user), deviceID: version.deviceID ?? Author.unnamedDevice)
    let modified = Authorship(at: version.committedAt ?? WallTime(milliseconds: 0), author: author)
    return Record(
      recordName: name, recordType: app.schema.collection(collection)?.recordType ?? collection, fields: fields,
      changeTag: ChangeTag(version.tag?.text ?? ""), created: modified, modified: modified)
  }
}

extension CloudErrorCode {
  /// Whether the error is about a zone, and not about the whole request.
  fileprivate var isOfZone: Bool {
    switch self {
    case .changeTokenExpired, .zoneNotFound, .userDeletedZone: true
    default: false
    }
  }
}

extension CloudError {
  /// The error of the cloud for one of the protocol of documents.
  package init(_ error: DocumentError) {
    self.init(error.cause, error.message, retryAfterMilliseconds: error.retryAfterMilliseconds)
    ending = error.ending
  }
}
