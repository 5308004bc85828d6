import ZoneKitRecords

/// Finds conditions under which a fault can hit nothing.
extension Fault {
  /// The member that keeps the fault from ever hitting, and what is wrong with it; nil if there is none.
  var misfit: (member: String, problem: String)? {
    if let problem = action.misfit(in: scope.kinds ?? [], called: word) { return ("on", problem) }
    let (isPush, kinds) = (action.isOfPushes, scope.kinds ?? action.fittingKinds)
    let isOfEvents = kinds.contains(.table(.changeEvent))
    for (member, isNamed, isRight, what) in [
      ("receiver", scope.receiver != nil, isPush, "pushes and events; a request has a device, which sends it"),
      ("author", scope.author != nil, isPush, "pushes and events; a request has a device, which sends it"),
      (
        "subscription", scope.subscriptionID != nil, isPush && kinds.contains(.push),
        "notifications of the push service"
      ),
      ("topic", scope.topic != nil, isPush && isOfEvents, "events of channels"),
      ("itemsAbove", scope.itemsAbove != nil, !isPush, "requests"),
      ("records", scope.recordNames != nil, !isPush || isOfEvents, "records, rows, objects and events"),
      ("table", scope.table != nil, kinds.contains { $0.table != nil }, "requests for tables and their events"),
      ("zone", scope.zoneName != nil, kinds.contains { $0.isOfZones }, "requests for zones and notifications"),
    ] where isNamed && !isRight {
      return (member, "applies to \(what), and \(word) does not")
    }
    if scope.subscriptionID != nil, scope.topic != nil {
      return ("topic", "applies to events of channels, and subscription to notifications; name one of them")
    }
    if case .listZone = action, scope.zoneName != nil || scope.recordNames != nil {
      return (
        scope.zoneName != nil ? "zone" : "records", "applies to items, and the database's feed has none; name listed"
      )
    }
    return nil
  }

  /// The value of the member `do`.
  var word: String {
    guard case .push(let fault) = action else { return action.written.word }
    return fault.word(ofEvents: scope.kinds == [.table(.changeEvent)])
  }
}

extension FaultAction {
  /// Whether the action is one on pushes.
  package var isOfPushes: Bool { if case .push = self { true } else { false } }

  /// The kinds of requests and pushes that the action can hit.
  package var fittingKinds: [FaultKind] {
    switch self {
    case .table(let action): action.kinds.map { .table($0) }
    case .push(let fault): fault.fitsEvents ? [.push, .table(.changeEvent)] : [.push]
    case .refuse, .refuseItems, .loseRequest, .loseAnswer, .delayAnswer, .repeatRequest:
      FaultKind.all.filter { !$0.isOfSocket }
    case .staleFeed, .stuckToken: [.cloud(.fetchDatabaseChanges), .cloud(.fetchZoneChanges)]
    case .listZone: [.cloud(.fetchDatabaseChanges)]
    case .omitRecords, .doubleRecords: [.cloud(.fetchZoneChanges)]
    case .forgetSubscriptions, .muteSubscriptions: [.cloud(.modifySubscriptions), .cloud(.saveSubscriptions)]
    }
  }

  /// What is wrong with the kinds that a fault names for the action; nil if it can hit them. A fault of feeds or
  /// subscriptions may name other requests beside its own.
  fileprivate func misfit(in kinds: [FaultKind], called word: String) -> String? {
    let fitting = fittingKinds
    let others = kinds.filter { !fitting.contains($0) }
    let mayNameOthers =
      switch self {
      case .staleFeed, .stuckToken, .listZone, .omitRecords, .doubleRecords, .forgetSubscriptions, .muteSubscriptions:
        others.count < kinds.count && others.allSatisfy { $0.cloud != nil }
      case .refuse, .refuseItems, .loseRequest, .loseAnswer, .delayAnswer, .repeatRequest, .table, .push: false
      }
    guard let wrong = others.first, !mayNameOthers else { return nil }
    return "names \(wrong.word), and \(word) applies to \(fitting.map(\.word).joined(separator: ", "))"
  }
}

extension FaultKind {
  /// Whether requests or pushes of the kind name zones.
  fileprivate var isOfZones: Bool { self == .push || cloud != nil }
}
