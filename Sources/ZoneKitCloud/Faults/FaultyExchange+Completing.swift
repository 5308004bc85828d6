import ZoneKitRecords

extension FaultyExchange {
  /// The cloud's response with the results of the items that did not reach the cloud.
  func completed(_ response: CloudResponse) -> CloudResponse {
    guard !itemFaults.isEmpty else { return response }
    return switch response {
    case .records(let results), .atomicFailure(let results): completed(results)
    case .zones(let results):
      .zones(merged(results) { .failed(zoneID(at: $0).resolved(for: caller.userRecordName), $1) })
    case .queries(let results): .queries(merged(results) { .failed($1) })
    case .zoneChanges(let results):
      .zoneChanges(merged(results) { .failed(zoneID(at: $0).resolved(for: caller.userRecordName), $1) })
    case .subscriptions(let results): .subscriptions(completed(results))
    case .shares(let results): .shares(merged(results) { .failed(asked.shareRequests[$0], $1) })
    case .uploads, .assets, .databaseChanges, .pushToken, .failure, .users: response
    }
  }

  private func completed(_ results: [RecordResult]) -> CloudResponse {
    guard isAtomicFailure else { return .records(merged(results) { .failed(recordName(at: $0), $1) }) }
    let others = CloudError(.batchRequestFailed, "not done because another operation of the same atomic request failed")
    return .atomicFailure(
      traits.items.indices.map { index in
        if case .refused(let error) = itemFaults[index] { return .failed(recordName(at: index), error) }
        return .failed(recordName(at: index), others)
      })
  }

  private func completed(_ results: [SubscriptionResult]) -> [SubscriptionResult] {
    var rest = results[...]
    return traits.items.indices.compactMap { index in
      switch itemFaults[index] {
      case .refused(let error): .failed(traits.items[index].subscriptionID, error)
      case .forgotten: asked.savedSubscription(at: index).map { .subscription($0) }
      case .muted, nil: rest.popFirst()
      }
    }
  }

  /// The results in the order of the original items.
  private func merged<Result>(_ results: [Result], failed: (Int, CloudError) -> Result) -> [Result] {
    var rest = results[...]
    return traits.items.indices.compactMap { index in
      if case .refused(let error) = itemFaults[index] { return failed(index, error) }
      return rest.popFirst()
    }
  }

  private func zoneID(at index: Int) -> ZoneID { traits.items[index].zoneID ?? .defaultZone }

  private func recordName(at index: Int) -> Name? { traits.items[index].recordName }
}
