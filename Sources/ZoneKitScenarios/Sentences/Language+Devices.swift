import ZoneKitRecords

/// Sentences about devices: what their users do, their links, their lives, accounts, clocks and disks.
extension Language {
  static var app: [Sentence] {
    AppStep.verbs.map { verb in
      .step("{devices} \(verb)s|\(verb) {rest}") { .app(.perform($0.devices(), "\(verb) \($0.name("rest"))")) }
    } + [
      .step("{devices} does|do {rest}") { .app(.perform($0.devices(), $0.name("rest"))) },
      .step("{device} edits {record} {rest}") { .app(.edit($0.device, $0.record(), $0.name("rest"))) },
      .step("{device} deletes {record}") { .app(.delete($0.device, $0.record())) },
      .step(
        "{device} saves record {name} [of type {type:name}] [in zone {zone:name}] [under {parent:name}] [{fields}]"
      ) {
        .app(
          .save(
            $0.device, record: $0.name(), type: $0.optionalName("type"), zone: $0.optionalName("zone"),
            parent: $0.optionalName("parent"), $0.fields))
      },
      .step("{devices} syncs|sync") { .app(.sync($0.devices())) },
      .step("{device} syncs inside its next merge") { .app(.syncInsideMerge($0.device)) },
    ]
  }

  static var links: [Sentence] {
    let ways: [(String, @Sendable (DeviceChoice) -> ScenarioLink)] = [
      ("the link of {devices}", { .both($0) }),
      ("the link from {devices} to the cloud", { .toCloud($0) }),
      ("the link from the cloud to {devices}", { .fromCloud($0) }),
      ("the push link of {devices}", { .push($0) }),
    ]
    return [
      .step("{devices} goes|go offline") { .link(.offline($0.devices())) },
      .step("{devices} comes|come online") { .link(.online($0.devices())) },
      .step("heal everything") { _ in .link(.healEverything) },
      .step("recover everything [and {way:restart} every device]") { .link(.recover(restarting: $0.has("way"))) },
      .step(
        "set the link of {devices} \(Link.pattern("up")) \(Link.pattern("down")) \(Link.pattern("push"))"
          + " [, told of {told:percent}]"
      ) { .link(.set($0.devices(), Link($0))) },
    ]
      + ways.flatMap { words, way in
        [
          .step("cut \(words)") { .link(.cut(way($0.devices()))) },
          .step("slow \(words) to {span}") { .link(.slow(way($0.devices()), $0.span())) },
          .step("lose {percent} on|of \(words)") { .link(.lose($0.number("percent"), way($0.devices()))) },
          .step("repeat {percent} on|of \(words)") { .link(.duplicate($0.number("percent"), way($0.devices()))) },
          .step("reorder \(words)") { .link(.reorder(way($0.devices()))) },
          .step("clog \(words)") { .link(.clog(way($0.devices()))) },
          .step("heal \(words)") { .link(.heal(way($0.devices()))) },
        ]
      }
  }

  static var life: [Sentence] {
    [
      .step("{devices} goes|go to the background") { .life(.background($0.devices())) },
      .step("{devices} comes|come to the foreground") { .life(.foreground($0.devices())) },
      .step("{devices} comes|come to the foreground and syncs|sync") { .life(.look($0.devices())) },
      .step("force-quit {devices}") { .life(.forceQuit($0.devices())) },
      .step("{devices} enters|enter low power") { .life(.lowPower($0.devices())) },
      .step("{devices} leaves|leave low power") { .life(.fullPower($0.devices())) },
      .step("{devices} turns|turn background refresh {way:on|off}") {
        .life(.backgroundRefresh($0.devices(), isOn: $0.name("way") == "on"))
      },
      .step("kill {place}") { .life(.kill($0.place())) },
      .step("kill {place} for {span}") { .life(.killFor($0.place(), $0.span())) },
      .step("kill {place} before its {ordinal} {name} [and {way:start} it again]") {
        .life(.killAt($0.place(), .before($0.number("ordinal"), $0.name()), startingAgain: $0.has("way")))
      },
      .step("kill {place} after its {ordinal} {name} [and {way:start} it again]") {
        .life(.killAt($0.place(), .after($0.number("ordinal"), $0.name()), startingAgain: $0.has("way")))
      },
      .step("cut the power of {place}") { .life(.powerCut($0.place(), keeping: 0)) },
      .step("cut the power of {device} keeping {percent} of its unsynced commits") {
        .life(.powerCut(.device($0.device), keeping: $0.number("percent")))
      },
      .step("start {place}") { .life(.start($0.place())) },
      .step("restart {place}") { .life(.restart($0.place())) },
      .step("erase {device}") { .life(.erase($0.device)) },
      .step("back up {device}") { .life(.backUp($0.device)) },
      .step("restore {device} from its backup") { .life(.restoreBackup($0.device)) },
      .step("restore a copy of {device} as {copy:newDevice}") {
        .life(.restoreCopy(of: $0.device, as: $0.name("copy")))
      },
      .step("restore a copy of {device} to {copy:device}") {
        .life(.restoreOnto(of: $0.device, to: $0.name("copy")))
      },
    ]
  }

  static var accounts: [Sentence] {
    [
      .step("{devices} signs|sign out") { .account(.signOut($0.devices())) },
      .step("{devices} signs|sign in as {name}") { .account(.signIn($0.devices(), $0.name())) },
      .step("{devices} switches|switch to {name}") { .account(.switchTo($0.devices(), $0.name())) },
      .step("the account of {device} is {way:available|unavailable}") {
        .account(.available($0.device, $0.name("way") == "available"))
      },
    ]
  }

  static var clocks: [Sentence] {
    [
      .step("{device:owner} clock is {span} {way:ahead|behind}") {
        .clock(.offset($0.device, milliseconds: $0.span().milliseconds * ($0.name("way") == "behind" ? -1 : 1)))
      },
      .step("{device:owner} clock is right") { .clock(.right($0.device)) },
      .step("{device:owner} clock {way:gains|loses} {span} a day") {
        .clock(.drift($0.device, millisecondsADay: $0.span().milliseconds * ($0.name("way") == "loses" ? -1 : 1)))
      },
      .step("{device:owner} clock is set to {time}") { .clock(.set($0.device, $0.time)) },
      .step("{device:owner} clock stands at {time}") { .clock(.stands($0.device, $0.time)) },
    ]
  }

  static var disks: [Sentence] {
    [
      .step("{device:owner} disk fails the next [{number}] write|writes [after {way:keeping} it|them]") {
        .disk(.failWrites($0.device, $0.optionalNumber() ?? 1, keeping: $0.has("way")))
      },
      .step("{device:owner} disk is full") { .disk(.full($0.device)) },
      .step("{device:owner} disk has room [again]") { .disk(.hasRoom($0.device)) },
      .step("{device:owner} disk takes {span} to write") { .disk(.slow($0.device, $0.span())) },
      .step("{device:owner} disk buffers its writes") { .disk(.buffers($0.device, true)) },
      .step("{device:owner} disk writes through") { .disk(.buffers($0.device, false)) },
      .step("{device:owner} disk syncs") { .disk(.sync($0.device)) },
    ]
  }
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
