import ZoneKitRecords

/// Sentences about user actions in the app, and about the links of devices.
extension Language {
  static let app: [Sentence] =
    AppStep.verbs.map { verb in
      .step(
        "{devices} \(verb)s|\(verb) {rest}", "The user runs the app's command `\(verb) ...`.",
        example: "A \(verb)s \(exampleArguments[verb] ?? "x")"
      ) { .app(.perform($0.devices(), "\(verb) \($0.name("rest"))")) }
    } + [
      .step("{devices} does|do {rest}", "The user runs a command of the app.", example: #"A does profile name "Mia""#) {
        .app(.perform($0.devices(), $0.name("rest")))
      },
      .step(
        "{device} edits {record} {rest}", "The user runs the app's command `edit` with that record and those words.",
        example: "A edits B's last action volume 90"
      ) { .app(.edit($0.device, $0.record(), $0.name("rest"))) },
      .step("{device} deletes {record}", "The user deletes the record.", example: "A deletes its last action") {
        .app(.delete($0.device, $0.record()))
      },
      .step(
        "{device} saves record {name} [of type {type:name}] [in zone {zone:name}] [under {parent:name}] [{fields}]",
        "Saves a record with those fields, for apps without commands.",
        example: #"A saves record x of type Item field title "a""#
      ) {
        .app(
          .save(
            $0.device, record: $0.name(), type: $0.optionalName("type"), zone: $0.optionalName("zone"),
            parent: $0.optionalName("parent"), $0.fields))
      },
      .step("{devices} syncs|sync", "The user asks for a sync.", example: "A, B sync") { .app(.sync($0.devices())) },
      .step(
        "{device} syncs inside its next merge", "The app asks for a sync while it is handed remote changes.",
        example: "A syncs inside its next merge"
      ) { .app(.syncInsideMerge($0.device)) },
    ]

  /// Examples of arguments for the commands of the reference app.
  private static let exampleArguments = [
    "log": "feeding bottle volume 120", "start": "sleep", "stop": "sleep", "import": #""export.json""#,
  ]

  static let links: [Sentence] = {
    let ways: [(String, String, @Sendable (DeviceChoice) -> ScenarioLink)] = [
      ("the link of {devices}", "the link of A", { .both($0) }),
      ("the link from {devices} to the cloud", "the link from A to the cloud", { .toCloud($0) }),
      ("the link from the cloud to {devices}", "the link from the cloud to A", { .fromCloud($0) }),
      ("the push link of {devices}", "the push link of A", { .push($0) }),
    ]
    return [
      .step("{devices} goes|go offline", "The device has no network, and knows it.", example: "A goes offline") {
        .link(.offline($0.devices()))
      },
      .step("{devices} comes|come online", "The device has its network again.", example: "A comes online") {
        .link(.online($0.devices()))
      },
      .step(
        "heal everything", "Ends all faults of links, pushes, the cloud and disks.", example: "heal everything"
      ) { _ in .link(.healEverything) },
      .step(
        "recover everything [and {way:restart} every device]",
        "Heals everything, cancels planned kills, and has every device online, signed in as at the beginning, and running.",
        example: "recover everything and restart every device"
      ) { .link(.recover(restarting: $0.has("way"))) },
      .step(
        "set the link of {devices} \(Link.pattern("up")) \(Link.pattern("down")) \(Link.pattern("push"))"
          + " [, told of {told:percent}]",
        "Sets all that a link does at once: `up` for requests, `down` for answers, `push` for pushes, and how many of a "
          + "hundred losses the device notices. What is not named works.",
        example: "set the link of A, up delay 5ms to 2s lose 30% reorder, down cut, push clog, told of 50%"
      ) { .link(.set($0.devices(), Link($0))) },
    ]
      + ways.flatMap { words, example, way in
        [
          .step("cut \(words)", "Loses everything on that way; no side notices.", example: "cut \(example)") {
            .link(.cut(way($0.devices())))
          },
          .step("slow \(words) to {span}", "Everything on that way takes so long.", example: "slow \(example) to 2s") {
            .link(.slow(way($0.devices()), $0.span()))
          },
          .step(
            "lose {percent} on|of \(words)", "Loses that share of what is on that way.",
            example: "lose 30% on \(example)"
          ) { .link(.lose($0.number("percent"), way($0.devices()))) },
          .step(
            "repeat {percent} on|of \(words)", "That share of what is on that way arrives twice.",
            example: "repeat 30% on \(example)"
          ) { .link(.duplicate($0.number("percent"), way($0.devices()))) },
          .step(
            "reorder \(words)", "Things on that way may overtake each other.", example: "reorder \(example)"
          ) { .link(.reorder(way($0.devices()))) },
          .step(
            "clog \(words)", "Everything on that way waits until the link is healed.", example: "clog \(example)"
          ) { .link(.clog(way($0.devices()))) },
          .step("heal \(words)", "That way works again.", example: "heal \(example)") {
            .link(.heal(way($0.devices())))
          },
        ]
      }
  }()
}

extension SlotValues {
  var fields: [ScenarioField] {
    guard case .fields(let fields) = self["fields"] else { return [] }
    return fields
  }

  var time: WallTime {
    guard case .time(let time) = self["time"] else { preconditionFailure("no time at time") }
    return time
  }
}
