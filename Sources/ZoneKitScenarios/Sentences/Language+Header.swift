/// Sentences before the first step, and sentences that control the steps, such as repetitions.
extension Language {
  static let header: [Sentence] = [
    Sentence(
      "scenario {name:quote}", "Names the scenario; the first line of a file.", example: #"scenario "a dropped push""#
    ) { .header(.name($0.name())) },
    Sentence(
      "about {name:quote}", "Says what happens, for people.", example: #"about "A push to B gets lost.""#
    ) { .header(.about($0.name())) },
    Sentence(
      "holds {name:quote}", "Says what must hold at the end, for people.",
      example: #"holds "B has the record after it comes to the foreground.""#
    ) { .header(.holds($0.name())) },
    Sentence(
      "source {name:quote}", "Says where the failure was reported.", example: #"source "developer forum, thread 1""#
    ) { .header(.source($0.name())) },
    Sentence(
      "rules {names}",
      "Names the rules of the real cloud that the scenario depends on; see `zonekit scenarios --rules`.",
      example: "rules push-may-be-lost"
    ) { .header(.rules($0.names())) },
    Sentence("app {name}", "Names the app that the devices run.", example: "app NannyAndMe") {
      .header(.app($0.name(), from: nil))
    },
    Sentence(
      "app {name} from {file:name}",
      "Names an app whose data a file describes: `documents`. The path begins in the folder of the scenario's file.",
      example: "app documents from ../Documents/reading-list.json"
    ) { .header(.app($0.name(), from: $0.name("file"))) },
    Sentence(
      "device|devices {names} [of app {app:name}] signed in as {name} [{off:not} started]",
      "Adds devices of an account, with the scenario's app or another one on the same cloud. They start at the "
        + "beginning, unless they are not started. All devices of an account have the same app.",
      example: "devices C, D signed in as nanny"
    ) { .header(.devices($0.names(), app: $0.optionalName("app"), account: $0.name(), isOff: $0.has("off"))) },
    Sentence(
      "device|devices {names} [of app {app:name}] signed out [{off:not} started]",
      "Adds devices on which no account is signed in.", example: "device C signed out"
    ) { .header(.devices($0.names(), app: $0.optionalName("app"), account: nil, isOff: $0.has("off"))) },
  ]

  static let options: [Sentence] =
    [
      Sentence(
        "option seed {seed}", "Decides what is left to chance; 1 where no seed is given.", example: "option seed 7"
      ) { .header(.option(.seed($0.seed))) }
    ]
    + CountOption.allCases.map { option in
      Sentence("option \(option.rawValue) {number}", option.summary, example: "option \(option.rawValue) 3") {
        .header(.option(.count(option, $0.number())))
      }
    }
    + SpanOption.allCases.map { option in
      Sentence("option \(option.rawValue) {span}", option.summary, example: "option \(option.rawValue) 3s") {
        .header(.option(.span(option, $0.span())))
      }
    }
    + ChoiceOption.allCases.map { option in
      Sentence(
        "option \(option.rawValue) {choice:\(option.choices.joined(separator: "|"))}", option.summary,
        example: "option \(option.rawValue) \(option.choices[0])"
      ) { .header(.option(.choice(option, $0.name("choice")))) }
    }

  static let general: [Sentence] = [
    .step("wait {span}", "Lets that time pass.", example: "wait 2s") { .wait($0.span()) },
    .step("note {name:quote}", "Writes words into the timeline.", example: #"note "now A is offline""#) {
      .note($0.name())
    },
    .step(
      "count from here", "Sets the counters of all devices to zero. Reports are counted from here too.",
      example: "count from here"
    ) { _ in .countFromHere },
    .step(
      "measure from here",
      "The time until the next expectation holds is a figure, which a play on processes prints.",
      example: "measure from here"
    ) { _ in .measureFromHere },
    .step(
      "stop here unless all device IDs differ", "Ends the scenario here where two devices share an ID.",
      example: "stop here unless all device IDs differ"
    ) { _ in .stopUnlessDeviceIDsDiffer },
    Sentence(
      "repeat {number} times [every {span}]",
      "Repeats the lines up to `end`, with that time between two repetitions.",
      example: "repeat 5 times every 2s"
    ) { .repetition($0.number(), every: $0.optionalSpan()) },
    Sentence("end", "Ends a repetition.", example: "end") { _ in .end },
  ]
}

extension SlotValues {
  fileprivate var seed: UInt64 {
    guard case .seed(let seed) = self["seed"] else { preconditionFailure("no seed at seed") }
    return seed
  }
}
