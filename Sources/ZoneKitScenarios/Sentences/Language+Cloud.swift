import ZoneKitRecords

/// Sentences about pushes, the cloud, its zones, and resets.
extension Language {
  static let pushes: [Sentence] = {
    let plain: [(String, PushFault, String)] = [
      ("drop", .drop, "Those pushes get lost."), ("duplicate", .duplicate, "Those pushes arrive twice."),
      ("reorder", .swap, "Each of those pushes arrives after the one that follows it."),
      ("prune", .prune, "Those pushes arrive without their notification ID, as too large ones do."),
    ]
    let some = ("{which:the} next [{number}] push|pushes [from {from:device}] to {device}", "the next 2 pushes to B")
    let all = ("{which:every} push [from {from:device}] to {device}", "every push from A to B")
    func step(
      _ pushes: (pattern: String, example: String), _ verb: String, _ rest: String, _ summary: String,
      example: String = "", _ fault: @escaping @Sendable (SlotValues) -> PushFault
    ) -> Sentence {
      .step(
        "\(verb) \(pushes.pattern)\(rest) [in zone {zone:name}] [in {percent} of cases]", summary,
        example: "\(verb) \(pushes.example)\(example)"
      ) { .push(.fault($0.pushTrouble(fault($0)))) }
    }
    return [some, all].flatMap { pushes in
      plain.map { verb, fault, summary in step(pushes, verb, "", summary) { _ in fault } } + [
        step(pushes, "delay", " by {span}", "Those pushes arrive so much later.", example: " by 3s") {
          .delay(milliseconds: $0.span().milliseconds)
        },
        step(
          pushes, "deliver", " without an ID", "Those pushes arrive without a notification ID.",
          example: " without an ID"
        ) { _ in .withoutID },
        step(
          pushes, "deliver", " for another subscription", "Those pushes name a subscription that is not the device's.",
          example: " for another subscription"
        ) { _ in .misaddress },
      ]
    } + otherPushes
  }()

  private static let otherPushes: [Sentence] = [
    .step(
      "replay the last push to {device}", "The last push to the device arrives once more.",
      example: "replay the last push to B"
    ) { .push(.replay($0.device)) },
    .step(
      "pushes to {device} flow again", "Ends all faults of pushes to the device.", example: "pushes to B flow again"
    ) { .push(.flow($0.device)) },
    .step(
      "push {device} for subscription {name}", "Sends a push that no change made, for that subscription.",
      example: "push B for subscription other"
    ) { .push(.stray($0.device, subscription: $0.name())) },
    .step(
      "push {device} for account {name}", "Sends a push that no change made, for another account.",
      example: "push B for account mum"
    ) { .push(.strayAccount($0.device, account: $0.name())) },
    .step(
      "the push token of {device} dies", "The push service refuses the token until the device registers a new one.",
      example: "the push token of B dies"
    ) { .push(.tokenDies($0.device)) },
    .step(
      "the gateway restarts", "The push service restarts: stored pushes stay, pushes under way are lost.",
      example: "the gateway restarts"
    ) { _ in .push(.gatewayRestarts) },
  ]

  static let cloud: [Sentence] =
    TokenKind.allCases.map { kind in
      .step(
        "expire the \(kind.rawValue) [of {device}]",
        "Change tokens that were handed out so far are refused: \(kind.summary).",
        example: "expire the \(kind.rawValue) of A"
      ) { .cloud(.expireTokens(kind, of: $0.someDevice)) }
    } + [
      .step(
        "the cloud refuses {record} with {error}", "The record is refused whenever it is saved.",
        example: "the cloud refuses A's last action with invalidArguments"
      ) { .cloud(.refuse($0.record(), $0.error)) },
      .step(
        "the cloud accepts {record} again", "The record is no longer refused.",
        example: "the cloud accepts A's last action again"
      ) { .cloud(.accept($0.record())) },
      .step(
        "the cloud refuses more than {number} records at once", "Larger batches are refused with limitExceeded.",
        example: "the cloud refuses more than 10 records at once"
      ) { .cloud(.refuseAbove($0.number())) },
      .step("the cloud is full", "Saved records are refused with quotaExceeded.", example: "the cloud is full") { _ in
        .cloud(.full)
      },
      .step("the cloud has room again", "The cloud is no longer full.", example: "the cloud has room again") { _ in
        .cloud(.hasRoom)
      },
      .step(
        "the cloud shows commits {span} late", "Feeds show commits that much later.",
        example: "the cloud shows commits 3s late"
      ) { .cloud(.showLate($0.span())) },
      .step(
        "expire all database tokens of {holder}", "The tokens of an account's database feed are refused.",
        example: "expire all database tokens of account nanny"
      ) { .cloud(.expireDatabaseTokens(of: $0.holder())) },
      .step(
        "the cloud loses the subscription of {holder}",
        "The app's subscription of the account is gone; no device is informed.",
        example: "the cloud loses the subscription of A"
      ) { .cloud(.loseSubscription(of: $0.holder())) },
      .step(
        "the cloud mutes the subscription of {holder}",
        "The app's subscription of the account stays and makes no pushes.",
        example: "the cloud mutes the subscription of A"
      ) { .cloud(.muteSubscription(of: $0.holder())) },
      .step(
        "the cloud doubles the subscription of {device}",
        "The account gets a second subscription of the same content under another ID.",
        example: "the cloud doubles the subscription of A"
      ) { .cloud(.doubleSubscription(of: $0.device)) },
      .step("the cloud's disk is full", "The cloud takes no commits.", example: "the cloud's disk is full") { _ in
        .cloud(.fullDisk(.all, true))
      },
      .step("the cloud's disk has room [again]", "The cloud takes commits again.", example: "the cloud's disk has room")
      { _ in .cloud(.fullDisk(.all, false)) },
      .step(
        "the disk of the cloud's accounts is full", "The cloud takes commits of zones and none of accounts.",
        example: "the disk of the cloud's accounts is full"
      ) { _ in .cloud(.fullDisk(.accounts, true)) },
      .step(
        "the disk of the cloud's accounts has room [again]", "The cloud takes commits of accounts again.",
        example: "the disk of the cloud's accounts has room"
      ) { _ in .cloud(.fullDisk(.accounts, false)) },
      .step(
        "the cloud's disk cannot be read", "Every reading of the cloud fails.",
        example: "the cloud's disk cannot be read"
      ) { _ in .cloud(.unreadableDisk(true)) },
      .step(
        "the cloud's disk can be read again", "The cloud reads its files again.",
        example: "the cloud's disk can be read again"
      ) { _ in .cloud(.unreadableDisk(false)) },
      .step("the cloud behaves again", "Ends all faults of the cloud.", example: "the cloud behaves again") { _ in
        .cloud(.behave)
      },
    ]

  /// The phrases that name a zone, each with an example.
  static let zonePhrases = [("the zone", "the zone"), ("zone {zone:name}", "zone Items")]

  static let zones: [Sentence] =
    zonePhrases.flatMap { zone, example in
      [
        .step("create \(zone) of {holder}", "Creates the zone of an account.", example: "create \(example) of A") {
          .zone(.create($0.optionalName("zone"), of: $0.holder()))
        },
        .step("delete \(zone) of {holder}", "Deletes the zone of an account.", example: "delete \(example) of A") {
          .zone(.delete($0.optionalName("zone"), of: $0.holder()))
        },
        .step(
          "purge \(zone) of {holder}", "The user removes the app's data in the settings: the zone is purged.",
          example: "purge \(example) of account nanny"
        ) { .zone(.purge($0.optionalName("zone"), of: $0.holder())) },
        .step(
          "reset the keys of \(zone) of {holder}",
          "The keys of the zone's encrypted data are lost, and the zone with them.",
          example: "reset the keys of \(example) of A"
        ) { .zone(.resetKeys($0.optionalName("zone"), of: $0.holder())) },
        .step(
          "lose \(zone) of {holder}", "The cloud loses the zone; no feed lists that.", example: "lose \(example) of A"
        ) { .zone(.lose($0.optionalName("zone"), of: $0.holder())) },
        .step(
          "forget the deletions in \(zone) of {holder} [made before {time}]",
          "Tombstones go for good, and with them the tokens that have not passed them.",
          example: "forget the deletions in \(example) of A"
        ) { .zone(.forgetDeletions($0.optionalName("zone"), of: $0.holder(), before: $0.optionalTime)) },
        .step(
          "expire all tokens of \(zone) of {holder}", "The tokens of the zone's feed are refused.",
          example: "expire all tokens of \(example) of A"
        ) { .zone(.expireTokens($0.optionalName("zone"), of: $0.holder())) },
      ]
    }

  static let resets: [Sentence] = [
    .step(
      "reset the local store of {device} [{keeping:keeping} pending]",
      "Empties a device's store; with `keeping pending` edits that are not sent stay.",
      example: "reset the local store of A keeping pending"
    ) { .reset(.local($0.device, keepingPending: $0.has("keeping"))) },
    .step(
      "reset the tokens of {device}", "Removes a device's change tokens, so that it fetches everything.",
      example: "reset the tokens of A"
    ) { .reset(.tokens($0.device)) },
    .step(
      "reset the zone of {holder}", "Deletes all records of the app's zone with ordinary tombstones.",
      example: "reset the zone of A"
    ) { .reset(.zone(nil, of: $0.holder())) },
    .step(
      "reset zone {name} of {holder}", "Deletes all records of a zone with ordinary tombstones.",
      example: "reset zone Items of account nanny"
    ) { .reset(.zone($0.name(), of: $0.holder())) },
    .step("reset the cloud", "Deletes all records of all zones with ordinary tombstones.", example: "reset the cloud") {
      _ in .reset(.cloud)
    },
  ]
}

extension TokenKind {
  /// A description of the kind of tokens.
  var summary: String {
    switch self {
    case .all: "those of the database's feed and of all zones' feeds"
    case .database: "those of the database's feed"
    case .zone: "those of the zones' feeds"
    }
  }
}

extension SlotValues {
  /// The number of requests in a value of `every` or `the next N`.
  var faultCount: FaultCount { name("which") == "every" ? .every : .next(optionalNumber() ?? 1) }

  /// A fault of the pushes that a sentence names.
  fileprivate func pushTrouble(_ action: PushFault) -> PushTrouble {
    var trouble = PushTrouble(action, faultCount, to: device)
    trouble.author = optionalName("from")
    trouble.zone = optionalName("zone")
    trouble.percent = optionalNumber("percent") ?? 100
    return trouble
  }

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
