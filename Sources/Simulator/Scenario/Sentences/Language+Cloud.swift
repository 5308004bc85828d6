import Records

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
        .step("the cloud answers \(requests) with {error} [retry after {span}]") {
          .cloud(.answer($0.faultCount, $0.operation, of: $0.someDevice, $0.error, retryAfter: $0.optionalSpan()))
        },
        .step("the cloud loses the answer|answers to \(requests)") {
          .cloud(.loseAnswer($0.faultCount, $0.operation, of: $0.someDevice))
        },
        .step("the cloud loses \(requests)") {
          .cloud(.loseRequest($0.faultCount, $0.operation, of: $0.someDevice))
        },
        .step("the cloud delays the answer|answers to \(requests) by {span}") {
          .cloud(.delayAnswer($0.faultCount, $0.operation, of: $0.someDevice, $0.span()))
        },
        .step("the cloud does \(requests) twice") {
          .cloud(.repeatRequest($0.faultCount, $0.operation, of: $0.someDevice))
        },
      ]
    } + [
      .step("the cloud loses the answer to {device:owner} next {operation}") {
        .cloud(.loseAnswer(.next(1), $0.operation, of: $0.device))
      }
    ] + feeds
  }

  private static var feeds: [Sentence] {
    let some = "{which:the} next [{number}] fetch|fetches [of {device}]"
    let all = "{which:every} fetch [of {device}]"
    return [some, all].flatMap { fetches in
      [
        .step("the cloud repeats the token of \(fetches)") { .cloud(.stuckToken($0.faultCount, of: $0.someDevice)) },
        .step("the cloud leaves out {record} in \(fetches)") {
          .cloud(.omit($0.record(), $0.faultCount, of: $0.someDevice))
        },
        .step("the cloud lists each record twice in \(fetches)") {
          .cloud(.doubleRecords($0.faultCount, of: $0.someDevice))
        },
      ]
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
      .step("the cloud lists zone {name} as changed") { .cloud(.listZone($0.name())) },
      .step("the cloud loses the subscription of {device}") { .cloud(.loseSubscription(of: $0.device)) },
      .step("the cloud mutes the subscription of {device}") { .cloud(.muteSubscription(of: $0.device)) },
      .step("the cloud doubles the subscription of {device}") { .cloud(.doubleSubscription(of: $0.device)) },
      .step("the cloud behaves again") { _ in .cloud(.behave) },
    ]
  }

  static var zones: [Sentence] {
    ["the zone", "zone {zone:name}"].flatMap { zone in
      [
        .step("delete \(zone) of {device}") { .zone(.delete($0.optionalName("zone"), of: $0.device)) },
        .step("purge \(zone) of {device}") { .zone(.purge($0.optionalName("zone"), of: $0.device)) },
        .step("reset the keys of \(zone) of {device}") {
          .zone(.resetKeys($0.optionalName("zone"), of: $0.device))
        },
        .step("lose \(zone) of {device}") { .zone(.lose($0.optionalName("zone"), of: $0.device)) },
        .step("forget the deletions in \(zone) of {device}") {
          .zone(.forgetDeletions($0.optionalName("zone"), of: $0.device))
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
      .step("reset the zone of {device}") { .reset(.zone(of: $0.device)) },
      .step("reset the cloud") { _ in .reset(.cloud) },
    ]
  }
}

extension SlotValues {
  /// `every` or `the next N`.
  var faultCount: FaultCount { name("which") == "every" ? .every : .next(optionalNumber() ?? 1) }

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
