import ZoneKitRecords

/// Sentences about pushes, the cloud, its zones, and resets.
extension Language {
  static var pushes: [Sentence] {
    let plain: [(String, PushTrouble)] = [
      ("drop", .drop), ("duplicate", .duplicate), ("reorder", .swap), ("prune", .prune),
    ]
    let some = "{which:the} next [{number}] push|pushes to {device}"
    let all = "{which:every} push to {device}"
    func step(_ words: String, _ trouble: @escaping @Sendable (SlotValues) -> PushTrouble) -> Sentence {
      .step(words) { .push(.fault(trouble($0), $0.faultCount, $0.device)) }
    }
    return [some, all].flatMap { pushes in
      plain.map { word, trouble in step("\(word) \(pushes)") { _ in trouble } } + [
        step("delay \(pushes) by {span}") { .delay($0.span()) },
        step("deliver \(pushes) without an ID") { _ in .withoutID },
        step("deliver \(pushes) for another subscription") { _ in .misaddress },
      ]
    } + [
      .step("replay the last push to {device}") { .push(.replay($0.device)) },
      .step("pushes to {device} flow again") { .push(.flow($0.device)) },
      .step("push {device} for subscription {name}") { .push(.stray($0.device, subscription: $0.name())) },
      .step("push {device} for account {name}") { .push(.strayAccount($0.device, account: $0.name())) },
      .step("the push token of {device} dies") { .push(.tokenDies($0.device)) },
      .step("the gateway restarts") { _ in .push(.gatewayRestarts) },
    ]
  }

  static var cloudFaults: [Sentence] {
    let some = "{which:the} next [{number}] {operation} [of {device}]"
    let all = "{which:every} {operation} [of {device}]"
    return [some, all].flatMap { requests in
      [
        fault("the cloud answers \(requests) with {error} [retry after {span}]") {
          .answer($0.faultCount, $0.operation, of: $0.someDevice, $0.error, retryAfter: $0.optionalSpan())
        },
        fault("the cloud loses the answer|answers to \(requests)") {
          .loseAnswer($0.faultCount, $0.operation, of: $0.someDevice)
        },
        fault("the cloud loses \(requests)") { .loseRequest($0.faultCount, $0.operation, of: $0.someDevice) },
        fault("the cloud delays the answer|answers to \(requests) by {span}") {
          .delayAnswer($0.faultCount, $0.operation, of: $0.someDevice, $0.span())
        },
        fault("the cloud does \(requests) twice") {
          .repeatRequest($0.faultCount, $0.operation, of: $0.someDevice)
        },
        fault(
          "the cloud refuses each item [named {item:name}] of \(requests) [in zone {zone:name}] with {error} "
            + "[retry after {span}]"
        ) {
          .refuseItems(
            $0.faultCount, $0.operation, of: $0.someDevice, named: $0.optionalName("item"),
            zone: $0.optionalName("zone"), $0.error, retryAfter: $0.optionalSpan())
        },
      ] + feeds(requests)
    } + [
      .step("the cloud leaves out {record} in {which:the} next [{number}] fetch|fetches [of {device}]") {
        .cloud(.omit($0.record(), $0.faultCount, of: $0.someDevice))
      },
      .step("the cloud leaves out {record} in {which:every} fetch [of {device}]") {
        .cloud(.omit($0.record(), $0.faultCount, of: $0.someDevice))
      },
      .step("the cloud loses the answer to {device:owner} next {operation}") {
        .cloud(.loseAnswer(.next(1), $0.operation, of: $0.device))
      },
      fault("the cloud lists zone {name} as changed") { .listZone($0.name(), .every) },
      fault("the cloud lists zone {name} as changed {which:the} next [{number}] time|times") {
        .listZone($0.name(), $0.faultCount)
      },
    ]
  }

  private static func feeds(_ requests: String) -> [Sentence] {
    [
      fault("the cloud shows commits {span} late to \(requests)") {
        .staleFeed($0.faultCount, $0.operation, of: $0.someDevice, $0.span())
      },
      fault("the cloud repeats the token of \(requests)") {
        .stuckToken($0.faultCount, $0.operation, of: $0.someDevice)
      },
      fault("the cloud lists each record twice in \(requests)") {
        .doubleRecords($0.faultCount, $0.operation, of: $0.someDevice)
      },
    ]
  }

  /// A sentence about a fault, and how it is for some of the requests only.
  private static func fault(_ pattern: String, _ step: @escaping @Sendable (SlotValues) -> CloudStep) -> Sentence {
    .step("\(pattern) [after {after:number} other|others] [in {percent} of cases]") { values in
      let (after, percent) = (values.optionalNumber("after") ?? 0, values.optionalNumber("percent") ?? 100)
      return .cloud(
        after == 0 && percent == 100 ? step(values) : .partly(step(values), after: after, percent: percent))
    }
  }

  static var cloud: [Sentence] {
    TokenKind.allCases.map { kind in
      .step("expire the \(kind.rawValue) [of {device}]") { .cloud(.expireTokens(kind, of: $0.someDevice)) }
    } + [
      .step("the cloud refuses {record} with {error}") { .cloud(.refuse($0.record(), $0.error)) },
      .step("the cloud accepts {record} again") { .cloud(.accept($0.record())) },
      .step("the cloud refuses more than {number} records at once") { .cloud(.refuseAbove($0.number())) },
      .step("the cloud is full") { _ in .cloud(.full) },
      .step("the cloud has room again") { _ in .cloud(.hasRoom) },
      .step("the cloud shows commits {span} late") { .cloud(.showLate($0.span())) },
      .step("expire all database tokens of {holder}") { .cloud(.expireDatabaseTokens(of: $0.holder())) },
      .step("the cloud loses the subscription of {holder}") { .cloud(.loseSubscription(of: $0.holder())) },
      .step("the cloud mutes the subscription of {holder}") { .cloud(.muteSubscription(of: $0.holder())) },
      .step("the cloud doubles the subscription of {device}") { .cloud(.doubleSubscription(of: $0.device)) },
      .step("the cloud's disk is full") { _ in .cloud(.fullDisk(true)) },
      .step("the cloud's disk has room [again]") { _ in .cloud(.fullDisk(false)) },
      .step("the cloud behaves again") { _ in .cloud(.behave) },
    ]
  }

  static var zones: [Sentence] {
    ["the zone", "zone {zone:name}"].flatMap { zone in
      [
        .step("create \(zone) of {holder}") { .zone(.create($0.optionalName("zone"), of: $0.holder())) },
        .step("delete \(zone) of {holder}") { .zone(.delete($0.optionalName("zone"), of: $0.holder())) },
        .step("purge \(zone) of {holder}") { .zone(.purge($0.optionalName("zone"), of: $0.holder())) },
        .step("reset the keys of \(zone) of {holder}") {
          .zone(.resetKeys($0.optionalName("zone"), of: $0.holder()))
        },
        .step("lose \(zone) of {holder}") { .zone(.lose($0.optionalName("zone"), of: $0.holder())) },
        .step("forget the deletions in \(zone) of {holder} [made before {time}]") {
          .zone(.forgetDeletions($0.optionalName("zone"), of: $0.holder(), before: $0.optionalTime))
        },
        .step("expire all tokens of \(zone) of {holder}") {
          .zone(.expireTokens($0.optionalName("zone"), of: $0.holder()))
        },
      ]
    }
  }

  static var resets: [Sentence] {
    [
      .step("reset the local store of {device} [{keeping:keeping} pending]") {
        .reset(.local($0.device, keepingPending: $0.has("keeping")))
      },
      .step("reset the tokens of {device}") { .reset(.tokens($0.device)) },
      .step("reset the zone of {holder}") { .reset(.zone(nil, of: $0.holder())) },
      .step("reset zone {name} of {holder}") { .reset(.zone($0.name(), of: $0.holder())) },
      .step("reset the cloud") { _ in .reset(.cloud) },
    ]
  }
}

extension SlotValues {
  /// `every` or `the next N`.
  var faultCount: FaultCount { name("which") == "every" ? .every : .next(optionalNumber() ?? 1) }

  fileprivate var optionalTime: WallTime? { has("time") ? time : nil }

  var someDevice: String? { optionalName("device") }

  var operation: CloudOperation {
    guard case .operation(let operation) = self["operation"] else { preconditionFailure("no operation at operation") }
    return operation
  }

  var error: CloudErrorCode {
    guard case .error(let code) = self["error"] else { preconditionFailure("no error at error") }
    return code
  }
}
