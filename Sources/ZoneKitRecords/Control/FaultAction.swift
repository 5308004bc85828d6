/// What a fault does to a request or to a push that it hits.
package enum FaultAction: Hashable, Sendable {
  /// The whole request is refused and not carried out.
  case refuse(CloudError)
  /// The items in scope are refused, and the others are carried out as if they were alone. Of an atomic batch nothing
  /// is carried out, and the other items get `batchRequestFailed`. A request without items is refused as a whole.
  case refuseItems(CloudError)
  /// The request does not arrive.
  case loseRequest
  /// The request is carried out, and its answer does not arrive.
  case loseAnswer
  /// The answer is sent later by that time.
  case delayAnswer(milliseconds: Int64)
  /// The request arrives twice, as through a proxy that repeats it. The device gets the second answer.
  case repeatRequest
  /// Feeds show commits only from that age on.
  case staleFeed(milliseconds: Int64)
  /// The answer of a feed has the token of the request and reports that more changes follow (sync semantics, 3.2).
  case stuckToken
  /// The database's feed lists a zone of that name as changed, even if it does not exist (sync semantics, 3.2).
  case listZone(Name)
  /// A page of a zone's feed lacks the records in scope, although its token is past them.
  case omitRecords
  /// A page of a zone's feed contains the records in scope twice.
  case doubleRecords
  /// Saved subscriptions are answered as saved, but not stored.
  case forgetSubscriptions
  /// Subscriptions are saved without `shouldSendContentAvailable`, and answered as they are stored.
  case muteSubscriptions
  /// An action on requests of a service of tables.
  case table(TableFaultAction)
  /// What happens to a push on its way to one receiver, over any protocol.
  case push(PushFault)

  /// Whether the action can have an effect on a request or a push.
  package func fits(_ request: FaultSubject) -> Bool {
    if request.delivery != nil {
      guard case .push(let fault) = self else { return false }
      return request.kind == .push || fault.fitsEvents
    }
    return switch self {
    case .push: false
    case .refuse, .refuseItems, .loseRequest, .loseAnswer, .delayAnswer, .repeatRequest: !request.kind.isOfSocket
    case .staleFeed, .stuckToken: request.kind.cloud?.isFetch ?? false
    case .listZone: request.kind == .cloud(.fetchDatabaseChanges)
    case .omitRecords, .doubleRecords: request.kind == .cloud(.fetchZoneChanges)
    case .forgetSubscriptions, .muteSubscriptions: request.savesSubscriptions
    case .table(let action): request.kind.table.map(action.kinds.contains) ?? false
    }
  }

  /// Whether no further fault is considered after this action on a request with items or without. A push has one fault.
  package func isFinal(hasItems: Bool) -> Bool {
    switch self {
    case .refuse, .loseRequest, .table(.reject), .table(.rejectItems), .push: true
    case .refuseItems: !hasItems
    case .loseAnswer, .delayAnswer, .repeatRequest, .staleFeed, .stuckToken, .listZone, .omitRecords, .doubleRecords,
      .forgetSubscriptions, .muteSubscriptions, .table:
      false
    }
  }
}
