/// What a fault does to a request that it hits.
package enum FaultAction: Hashable, Sendable {
  /// The whole request is refused; nothing is done.
  case refuse(CloudError)
  /// The items that are meant are refused, and the others done as if they had come alone; of an atomic batch nothing is
  /// done, and the others get `batchRequestFailed`. A request without items is refused as a whole.
  case refuseItems(CloudError)
  /// The request never arrives.
  case loseRequest
  /// The request is done, and its answer never arrives.
  case loseAnswer
  /// The answer leaves that much later.
  case delayAnswer(milliseconds: Int64)
  /// The request arrives twice, as through a proxy that tries again; the second answer is the one that arrives.
  case repeatRequest
  /// Feeds are read as if commits became visible only that long after they were made.
  case staleFeed(milliseconds: Int64)
  /// A feed's answer carries the token that was asked from, and says that more is coming (sync semantics, 3.2).
  case stuckToken
  /// The database's feed lists a zone of that name as changed, whether there is one or not (sync semantics, 3.2).
  case listZone(Name)
  /// A page of a zone's feed comes without the records that are meant, although its token passes them.
  case omitRecords
  /// A page of a zone's feed has the records that are meant twice.
  case doubleRecords
  /// Saved subscriptions are answered as saved, and not kept.
  case forgetSubscriptions
  /// Saved subscriptions are kept without `shouldSendContentAvailable`, and answered as they are kept.
  case muteSubscriptions

  /// Whether the action can do anything to a request of these traits.
  package func fits(_ request: RequestTraits) -> Bool {
    switch self {
    case .refuse, .refuseItems, .loseRequest, .loseAnswer, .delayAnswer, .repeatRequest: true
    case .staleFeed, .stuckToken: request.kind.isFetch
    case .listZone: request.kind == .fetchDatabaseChanges
    case .omitRecords, .doubleRecords: request.kind == .fetchZoneChanges
    case .forgetSubscriptions, .muteSubscriptions: request.savesSubscriptions
    }
  }
}
