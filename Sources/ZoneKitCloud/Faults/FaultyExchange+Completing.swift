import ZoneKitRecords

extension FaultyExchange {
  /// The cloud's response to what reached it, with the results of the items that did not.
  func completed(_ response: CloudResponse) -> CloudResponse {
    guard !fates.isEmpty else { return response }
    return switch response {
    case .records(let results), .atomicFailure(let results): completed(results)
    case .zones(let results): .zones(merged(results) { .failed(reported(zoneID(at: $0)), $1) })
    case .zoneChanges(let results): .zoneChanges(merged(results) { .failed(reported(zoneID(at: $0)), $1) })
    case .subscriptions(let results): .subscriptions(completed(results))
    case .databaseChanges, .pushToken, .failure: response
    }
  }

  private func completed(_ results: [RecordResult]) -> CloudResponse {
    guard isAtomicFailure else { return .records(merged(results) { .failed(recordName(at: $0), $1) }) }
    let others = CloudError(.batchRequestFailed, "not done because another operation of the same atomic request failed")
    return .atomicFailure(
      (0..<asked.itemCount).map { index in
        if case .refused(let error) = fates[index] { return .failed(recordName(at: index), error) }
        return .failed(recordName(at: index), others)
      })
  }

  private func completed(_ results: [SubscriptionResult]) -> [SubscriptionResult] {
    var rest = results[...]
    return (0..<asked.itemCount).compactMap { index in
      switch fates[index] {
      case .refused(let error): .failed(subscriptionID(at: index), error)
      case .forgotten: savedSubscription(at: index).map { .subscription($0) }
      case .muted, nil: rest.popFirst()
      }
    }
  }

  /// The results in the order of what was asked.
  private func merged<Result>(_ results: [Result], failed: (Int, CloudError) -> Result) -> [Result] {
    var rest = results[...]
    return (0..<asked.itemCount).compactMap { index in
      if case .refused(let error) = fates[index] { return failed(index, error) }
      return rest.popFirst()
    }
  }

  /// The caller's own zones are told of by their owner's name (CloudKit Web Services, b.1).
  private func reported(_ id: ZoneID) -> ZoneID {
    id.ownerName == ZoneID.defaultOwner ? ZoneID(zoneName: id.zoneName, ownerName: caller.userRecordName) : id
  }

  private func zoneID(at index: Int) -> ZoneID {
    switch asked {
    case .lookupZones(let ids): ids[index]
    case .modifyZones(let operations): operations[index].zoneID
    case .fetchZoneChanges(let queries): queries[index].zoneID
    default: .defaultZone
    }
  }

  private func recordName(at index: Int) -> Name? { asked.item(at: index).recordName }

  private func savedSubscription(at index: Int) -> Subscription? {
    guard case .modifySubscriptions(let operations) = asked else { return nil }
    return operations[index].saved
  }

  private func subscriptionID(at index: Int) -> String? {
    switch asked {
    case .lookupSubscriptions(let ids): ids[index]
    case .modifySubscriptions(let operations):
      switch operations[index] {
      case .create(let subscription), .update(let subscription): subscription.subscriptionID
      case .delete(let id): id
      case .malformed(let id, _): id
      }
    default: nil
    }
  }
}
