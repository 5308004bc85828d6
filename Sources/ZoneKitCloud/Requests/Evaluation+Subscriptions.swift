import ZoneKitRecords

extension Evaluation {
  /// All subscriptions of the caller in the database.
  mutating func listSubscriptions() throws(EvaluationFailure) -> Outcome {
    let state = try reader.database(database)
    return Outcome(.subscriptions(state.subscriptions.filter(isCallers).map { .subscription($0) }))
  }

  /// The account in the keys of the caller's subscriptions: in a public database each account has its own.
  private var subscriber: Name? { database.scope == .public ? caller.user : nil }

  private func isCallers(_ subscription: Subscription) -> Bool { subscription.user == subscriber }

  /// The subscriptions of these IDs; `unknownItem` for each that does not exist.
  mutating func lookUpSubscriptions(_ ids: [String]) throws(EvaluationFailure) -> Outcome {
    try checkCount(ids.count, of: "subscriptions")
    let state = try reader.database(database)
    return Outcome(
      .subscriptions(
        ids.map { id in
          state.subscriptions.first { $0.key == Subscription.Key(id, of: subscriber) }.map { .subscription($0) }
            ?? .failed(id, unknownSubscription(id))
        }))
  }

  /// Saves and removes subscriptions in order; each operation sees the results of those before it. A subscription with
  /// the same ID is replaced. One with the same content under another ID is allowed (CloudKit Web Services, b.8).
  mutating func modifySubscriptions(
    _ operations: [SubscriptionOperation], using generator: inout some RandomNumberGenerator
  ) throws(EvaluationFailure) -> Outcome {
    try checkCount(operations.count, of: "operations")
    let state = try reader.database(database)
    var subscriptions = state.subscriptions.filter(isCallers)
    var results: [SubscriptionResult] = []
    for operation in operations {
      do throws(EvaluationFailure) {
        results.append(try result(of: operation, on: &subscriptions, using: &generator))
      } catch {
        results.append(.failed(operation.subscriptionID, try error.ofItem()))
      }
    }
    var outcome = Outcome(.subscriptions(results))
    outcome.databaseChange = difference(results, to: subscriptions, from: state)
    return outcome
  }

  private mutating func result(
    of operation: SubscriptionOperation, on subscriptions: inout [Subscription],
    using generator: inout some RandomNumberGenerator
  ) throws(EvaluationFailure) -> SubscriptionResult {
    switch operation {
    case .create(var subscription):
      if subscription.subscriptionID.isEmpty { subscription.subscriptionID = RandomIdentifier.uuid(using: &generator) }
      let isThere = subscriptions.contains { Name($0.subscriptionID) == Name(subscription.subscriptionID) }
      let saved = try save(subscription, in: &subscriptions)
      return isThere ? .replaced(saved) : .subscription(saved)
    case .update(let subscription):
      guard subscriptions.contains(where: { Name($0.subscriptionID) == Name(subscription.subscriptionID) }) else {
        throw subscriptionNotFound(subscription.subscriptionID)
      }
      return .subscription(try save(subscription, in: &subscriptions))
    case .delete(let id):
      guard let index = subscriptions.firstIndex(where: { Name($0.subscriptionID) == Name(id) }) else {
        throw subscriptionNotFound(id)
      }
      subscriptions.remove(at: index)
      return .deleted(id)
    case .malformed(_, let error): throw .refused(error)
    }
  }

  /// The most subscriptions of a database. Each of them costs time at every write.
  static var subscriptionLimit: Int { 100 }

  /// The most bytes of all texts of a notification: twice a payload (sync semantics, 2.3), which is pruned to its size.
  static var notificationTextLimit: Int { 8192 }

  private mutating func save(
    _ subscription: Subscription, in subscriptions: inout [Subscription]
  ) throws(EvaluationFailure) -> Subscription {
    guard Name(subscription.subscriptionID).hasLegalLength else {
      throw .refused(.invalidArguments, "a subscription ID has 1 to \(Name.lengthLimit) characters")
    }
    var subscription = subscription
    subscription.user = subscriber
    subscription.kind = try checked(subscription.kind)
    try checkContent(of: subscription, among: subscriptions)
    let size = subscription.notificationInfo?.textBytes ?? 0
    guard size <= Self.notificationTextLimit else {
      throw .refused(
        .invalidArguments,
        "the texts of notificationInfo have \(size) bytes, at most \(Self.notificationTextLimit) are allowed")
    }
    subscriptions.removeAll { Name($0.subscriptionID) == Name(subscription.subscriptionID) }
    guard subscriptions.count < Self.subscriptionLimit else {
      throw .refused(.limitExceeded, "a database has at most \(Self.subscriptionLimit) subscriptions; delete one first")
    }
    subscriptions.append(subscription)
    return subscription
  }

  /// Refuses a second subscription with the same content, if the limits demand that.
  private func checkContent(
    of subscription: Subscription, among subscriptions: [Subscription]
  ) throws(EvaluationFailure) {
    guard let code = limits.duplicateSubscriptionError else { return }
    let same = subscriptions.first { other in
      Name(other.subscriptionID) != Name(subscription.subscriptionID) && other.hasContent(of: subscription)
    }
    guard let same else { return }
    throw .refused(code, "subscription is a duplicate of \(same.subscriptionID)")
  }

  /// The kind, if the database supports it, with the owner of its zone.
  private mutating func checked(_ kind: Subscription.Kind) throws(EvaluationFailure) -> Subscription.Kind {
    switch kind {
    case .zone(let id):
      guard !id.zoneName.isDefaultZone else {
        throw .refused(
          .invalidArguments, "a zone subscription needs a custom zone; \(id.zoneName) has no change feed")
      }
      return .zone(try liveZone(id).access.zoneID)
    case .database:
      guard database.scope != .public else { throw notApplicable("a database subscription") }
      return .database
    case .query(let subscription): return .query(try checked(subscription))
    }
  }

  /// The query subscription, if its zone exists and its filters are possible, with the owner of its zone. The real service
  /// has none in a shared database.
  private mutating func checked(_ subscription: QuerySubscription) throws(EvaluationFailure) -> QuerySubscription {
    guard database.scope != .shared else { throw notApplicable("a query subscription") }
    guard !subscription.firesOn.isEmpty else {
      throw .refused(.invalidArguments, "firesOn of a query subscription needs one of create, update and delete")
    }
    guard subscription.query.recordType.isIdentifier else {
      throw .refused(.invalidArguments, "\(subscription.query.recordType) is not a record type")
    }
    var subscription = subscription
    var key: ZoneKey?
    if let zoneID = subscription.zoneID {
      let zone = try liveZone(zoneID).key
      subscription.zoneID = ZoneID(zoneName: zone.zoneName)
      key = zone
    }
    let (schema, isKnown) = try schema(for: subscription.query, in: key)
    guard isKnown || !containerTypes.isFixed else { throw unknownType(subscription.query.recordType) }
    let translation = QueryTranslation(query: subscription.query, schema: schema, policy: policy)
    _ = try translation.condition()
    return subscription
  }

  /// The changes to store for these results. For each ID the last result counts.
  private func difference(
    _ results: [SubscriptionResult], to subscriptions: [Subscription], from state: DatabaseState
  ) -> Outcome.DatabaseChange? {
    let touched = results.compactMap(\.changedID)
    guard !touched.isEmpty else { return nil }
    let saved = subscriptions.filter { touched.contains(Name($0.subscriptionID)) }
    let left = saved.map { Name($0.subscriptionID) }
    let removed = touched.filter { !left.contains($0) }.map { Subscription.Key($0.text, of: subscriber) }
    return Outcome.DatabaseChange(
      database: database,
      transition: DatabaseTransition(
        savedSubscriptions: saved, removedSubscriptions: removed, expected: DatabaseExpectation(state)))
  }

  /// The error for a subscription that does not exist.
  func subscriptionNotFound(_ id: String) -> EvaluationFailure { .refused(unknownSubscription(id)) }

  private func unknownSubscription(_ id: String) -> CloudError {
    CloudError(.unknownItem, "did not find subscription \(id) in the \(database.scope) database")
  }
}

extension NotificationInfo {
  /// The bytes of all texts in it.
  fileprivate var textBytes: Int {
    let texts = [
      alertBody, alertLocalizationKey, alertActionLocalizationKey, alertLaunchImage, soundName, category, title,
      subtitle, titleLocalizationKey, subtitleLocalizationKey,
    ]
    let lists = [alertLocalizationArgs, titleLocalizationArgs, subtitleLocalizationArgs, additionalFields]
    return (texts.compactMap { $0 } + lists.flatMap { $0 }).reduce(0) { $0 + $1.utf8.count }
  }
}

extension Subscription {
  /// Whether both are equal apart from their IDs.
  fileprivate func hasContent(of other: Subscription) -> Bool {
    var other = other
    other.subscriptionID = subscriptionID
    return self == other
  }
}

extension SubscriptionOperation {
  /// The ID of the operation's subscription; nil if it has none.
  fileprivate var subscriptionID: String? {
    let id: String? =
      switch self {
      case .create(let subscription), .update(let subscription): subscription.subscriptionID
      case .delete(let id): id
      case .malformed(let id, _): id
      }
    return id?.isEmpty == true ? nil : id
  }
}

extension SubscriptionResult {
  /// The ID of the subscription that was saved or removed.
  fileprivate var changedID: Name? {
    switch self {
    case .subscription(let subscription), .replaced(let subscription): Name(subscription.subscriptionID)
    case .deleted(let id): Name(id)
    case .failed: nil
    }
  }
}
