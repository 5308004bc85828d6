import ZoneKitRecords

extension FaultyExchange {
  /// The response with the changes that faults of feeds make.
  func distorted(_ response: CloudResponse) -> CloudResponse {
    distortions.reduce(response) { response, distortion in
      switch response {
      case .databaseChanges(let changes): .databaseChanges(distorted(changes, by: distortion))
      case .zoneChanges(let results):
        .zoneChanges(results.enumerated().map { distorted($0.element, at: $0.offset, by: distortion) })
      case .zones, .records, .atomicFailure, .queries, .uploads, .assets, .subscriptions, .pushToken, .failure, .users,
        .shares:
        response
      }
    }
  }

  private func distorted(_ changes: DatabaseChanges, by distortion: Distortion) -> DatabaseChanges {
    var changes = changes
    switch distortion.action {
    case .stuckToken:
      changes.token = Self.same(as: traits.databaseToken)
      changes.moreComing = true
    case .listZone(let name):
      let id = ZoneID(zoneName: name)
      let token = FeedToken(kind: .zone, identity: 0, position: 0).changeToken
      if !changes.zones.contains(where: { $0.zoneID == id }) { changes.zones.append(.changed(id, token: token)) }
    case .refuse, .refuseItems, .loseRequest, .loseAnswer, .delayAnswer, .repeatRequest, .staleFeed, .omitRecords,
      .doubleRecords, .forgetSubscriptions, .muteSubscriptions, .table, .push:
      break
    }
    return changes
  }

  private func distorted(
    _ result: ZoneChangesResult, at index: Int, by distortion: Distortion
  ) -> ZoneChangesResult {
    guard case .changes(var changes) = result,
      distortion.scope.includes(FaultSubject.Item(traits.items[index]), of: .cloud(traits.kind))
    else { return result }
    switch distortion.action {
    case .stuckToken:
      changes.token = Self.same(as: traits.items[index].token)
      changes.moreComing = true
    case .omitRecords: changes.page = changes.page.repeating { distortion.scope.includes(record: $0) ? 0 : 1 }
    case .doubleRecords: changes.page = changes.page.repeating { distortion.scope.includes(record: $0) ? 2 : 1 }
    case .refuse, .refuseItems, .loseRequest, .loseAnswer, .delayAnswer, .repeatRequest, .staleFeed, .listZone,
      .forgetSubscriptions, .muteSubscriptions, .table, .push:
      break
    }
    return .changes(changes)
  }

  /// The change token of the request. An empty one means the same as none (CloudKit Web Services, c.6).
  private static func same(as token: ChangeToken?) -> ChangeToken { token ?? ChangeToken("") }
}

extension ChangedZone {
  fileprivate var zoneID: ZoneID {
    switch self {
    case .changed(let id, _), .deleted(let id, _): id
    }
  }
}
