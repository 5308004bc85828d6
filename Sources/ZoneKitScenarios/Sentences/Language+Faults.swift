/// Sentences about faults of single requests.
extension Language {
  static let cloudFaults: [Sentence] = {
    let some = Requests(
      pattern: "{which:the} next [{number}] {operation} [of {device}]", example: { "the next 2 \($0.plural) of A" })
    let all = Requests(pattern: "{which:every} {operation} [of {device}]", example: { "every \($0.rawValue) of A" })
    return [some, all].flatMap { exchanges($0) + feeds($0) } + records
  }()

  /// The sentences that say a `CloudStep`.
  static let cloudSteps = cloudFaults + cloud

  /// The requests to which a fault applies: the next ones, or all.
  private struct Requests {
    let pattern: String
    let example: (CloudOperation) -> String
  }

  private static func exchanges(_ requests: Requests) -> [Sentence] {
    let (pattern, saves, fetches) = (requests.pattern, requests.example(.save), requests.example(.zoneFetch))
    return [
      fault(
        "the cloud answers \(pattern) with {error} [retry after {span}]", "Those requests are answered with an error.",
        example: "the cloud answers \(saves) with serviceUnavailable retry after 30s"
      ) { .answer($0.faultCount, $0.operation, of: $0.someDevice, $0.error, retryAfter: $0.optionalSpan()) },
      fault(
        "the cloud loses the answer|answers to \(pattern)",
        "Those requests are carried out, and their answers get lost.",
        example: "the cloud loses the answers to \(saves)"
      ) { .loseAnswer($0.faultCount, $0.operation, of: $0.someDevice) },
      fault(
        "the cloud loses \(pattern)", "Those requests get lost before they are carried out.",
        example: "the cloud loses \(saves)"
      ) { .loseRequest($0.faultCount, $0.operation, of: $0.someDevice) },
      fault(
        "the cloud delays the answer|answers to \(pattern) by {span}",
        "The answers to those requests come that much later.",
        example: "the cloud delays the answers to \(fetches) by 5s"
      ) { .delayAnswer($0.faultCount, $0.operation, of: $0.someDevice, $0.span()) },
      fault(
        "the cloud does \(pattern) twice", "Those requests are carried out twice.",
        example: "the cloud does \(saves) twice"
      ) { .repeatRequest($0.faultCount, $0.operation, of: $0.someDevice) },
      fault(
        "the cloud refuses each item [named {item:name}] of \(pattern) [in zone {zone:name}] with {error} "
          + "[retry after {span}]",
        "Those requests are answered, and the records or zones that are meant have failed.",
        example: "the cloud refuses each item of \(fetches) in zone Items with zoneBusy"
      ) {
        .refuseItems(
          $0.faultCount, $0.operation, of: $0.someDevice, named: $0.optionalName("item"),
          zone: $0.optionalName("zone"), $0.error, retryAfter: $0.optionalSpan())
      },
    ]
  }

  private static func feeds(_ requests: Requests) -> [Sentence] {
    let (pattern, example) = (requests.pattern, requests.example(.fetch))
    return [
      fault(
        "the cloud shows commits {span} late to \(pattern)", "Those fetches do not see the newest commits.",
        example: "the cloud shows commits 3s late to \(example)"
      ) { .staleFeed($0.faultCount, $0.operation, of: $0.someDevice, $0.span()) },
      fault(
        "the cloud repeats the token of \(pattern)",
        "Those fetches get back the token that they sent, and a promise that more is coming.",
        example: "the cloud repeats the token of \(example)"
      ) { .stuckToken($0.faultCount, $0.operation, of: $0.someDevice) },
      fault(
        "the cloud lists each record twice in \(pattern)", "Those fetches list each record twice.",
        example: "the cloud lists each record twice in \(requests.example(.zoneFetch))"
      ) { .doubleRecords($0.faultCount, $0.operation, of: $0.someDevice) },
    ]
  }

  private static let saves = "{which:the} next [{number}] subscription save|saves [of {device}]"

  private static let records: [Sentence] = [
    fault(
      "the cloud forgets \(saves)", "Those subscriptions are answered as saved and are not stored.",
      example: "the cloud forgets the next subscription save of A"
    ) { .forgetSubscriptions($0.faultCount, of: $0.someDevice) },
    fault(
      "the cloud mutes \(saves)", "Those subscriptions are saved and make no pushes.",
      example: "the cloud mutes the next subscription save of A"
    ) { .muteSubscriptions($0.faultCount, of: $0.someDevice) },
    .step(
      "the cloud leaves out {record} in {which:the} next [{number}] fetch|fetches [of {device}]",
      "Those fetches do not list the record.", example: "the cloud leaves out A's last action in the next fetch of B"
    ) { .cloud(.omit($0.record(), $0.faultCount, of: $0.someDevice)) },
    .step(
      "the cloud leaves out {record} in {which:every} fetch [of {device}]", "No fetch lists the record.",
      example: "the cloud leaves out A's last action in every fetch of B"
    ) { .cloud(.omit($0.record(), $0.faultCount, of: $0.someDevice)) },
    .step(
      "the cloud loses the answer to {device:owner} next {operation}",
      "The device's next request of that kind is carried out, and its answer gets lost.",
      example: "the cloud loses the answer to A's next save"
    ) { .cloud(.loseAnswer(.next(1), $0.operation, of: $0.device)) },
    fault(
      "the cloud lists zone {name} as changed",
      "The database's feed lists a zone although there is none of that name.",
      example: "the cloud lists zone Ghost as changed"
    ) { .listZone($0.name(), .every) },
    fault(
      "the cloud lists zone {name} as changed {which:the} next [{number}] time|times",
      "The database's feed lists a zone that often although there is none of that name.",
      example: "the cloud lists zone Ghost as changed the next 2 times"
    ) { .listZone($0.name(), $0.faultCount) },
  ]

  /// A sentence about a fault, with the optional words that limit it to some of its requests.
  private static func fault(
    _ pattern: String, _ summary: String, example: String, _ step: @escaping @Sendable (SlotValues) -> CloudStep
  ) -> Sentence {
    .step("\(pattern) [after {after:number} other|others] [in {percent} of cases]", summary, example: example) {
      values in
      let (after, percent) = (values.optionalNumber("after") ?? 0, values.optionalNumber("percent") ?? 100)
      return .cloud(
        after == 0 && percent == 100 ? step(values) : .partly(step(values), after: after, percent: percent))
    }
  }
}
