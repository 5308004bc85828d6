/// Sentences about processes, accounts, clocks and disks.
extension Language {
  static let life = states + kills + copies

  private static let states: [Sentence] = [
    .step(
      "{devices} goes|go to the background", "The app goes to the background.", example: "B goes to the background"
    ) { .life(.background($0.devices())) },
    .step(
      "{devices} comes|come to the foreground",
      "The app comes to the foreground; it is started where it does not run.",
      example: "B comes to the foreground"
    ) { .life(.foreground($0.devices())) },
    .step(
      "{devices} comes|come to the foreground and syncs|sync",
      "The app comes to the foreground, and its user asks for a sync.", example: "B comes to the foreground and syncs"
    ) { .life(.look($0.devices())) },
    .step(
      "force-quit {devices}", "The user force-quits the app; its pushes are discarded until the user starts it.",
      example: "force-quit B"
    ) { .life(.forceQuit($0.devices())) },
    .step("{devices} enters|enter low power", "Turns low power mode on.", example: "B enters low power") {
      .life(.lowPower($0.devices()))
    },
    .step("{devices} leaves|leave low power", "Turns low power mode off.", example: "B leaves low power") {
      .life(.fullPower($0.devices()))
    },
    .step(
      "{devices} turns|turn background refresh {way:on|off}", "Turns background app refresh on or off.",
      example: "B turns background refresh off"
    ) { .life(.backgroundRefresh($0.devices(), isOn: $0.name("way") == "on")) },
  ]

  private static let kills: [Sentence] = [
    .step("kill {place}", "Ends the process at once.", example: "kill A") { .life(.kill($0.place())) },
    .step(
      "kill {place} for {span}", "Ends the process at once and starts it again after that time.",
      example: "kill the cloud for 5s"
    ) { .life(.killFor($0.place(), $0.span())) },
    .step(
      "kill {place} before its {ordinal} {name} [and {way:start} it again]",
      "Ends the process right before it does that for the Nth time from here: `commit`, `send`, `answer`, `notify`, "
        + "`step` for any of these, `turn` of the cloud, or a reported fact. `and start it again` starts it 2 s later.",
      example: "kill A before its 2nd send"
    ) {
      .life(
        .killAt($0.place(), .before($0.number("ordinal"), ProcessAction($0.name())), startingAgain: $0.has("way")))
    },
    .step(
      "kill {place} after its {ordinal} {name} [and {way:start} it again]",
      "Ends the process right after it has done that for the Nth time from here.",
      example: "kill the cloud after its 1st commit and start it again"
    ) {
      .life(.killAt($0.place(), .after($0.number("ordinal"), ProcessAction($0.name())), startingAgain: $0.has("way")))
    },
    .step(
      "cut the power of {place}", "Ends the process, and what its disk has not written yet is lost.",
      example: "cut the power of the cloud"
    ) { .life(.powerCut($0.place(), keeping: 0)) },
    .step(
      "cut the power of {device} keeping {percent} of its unsynced commits",
      "Ends the process; that share of what its disk has not written yet is kept.",
      example: "cut the power of A keeping 50% of its unsynced commits"
    ) { .life(.powerCut(.device($0.device), keeping: $0.number("percent"))) },
    .step(
      "start {place}", "Starts a process that does not run; of a device, its user opens the app.", example: "start A"
    ) { .life(.start($0.place())) },
    .step("restart {place}", "Ends the process in good order and starts it.", example: "restart the cloud") {
      .life(.restart($0.place()))
    },
  ]

  private static let copies: [Sentence] = [
    .step("erase {device}", "Wipes a device: its store, its tokens and its identity.", example: "erase A") {
      .life(.erase($0.device))
    },
    .step("back up {device}", "Keeps a copy of what a device's disk holds.", example: "back up A") {
      .life(.backUp($0.device))
    },
    .step(
      "restore {device} from its backup", "Puts a device's own backup on its disk.",
      example: "restore A from its backup"
    ) { .life(.restoreBackup($0.device)) },
    .step(
      "restore a copy of {device} as {copy:newDevice}",
      "Adds a device with what another one holds, identity included; from the backup where there is one.",
      example: "restore a copy of A as C"
    ) { .life(.restoreCopy(of: $0.device, as: $0.name("copy"))) },
    .step(
      "restore a copy of {device} to {copy:device}",
      "Puts what a device holds on another device, and starts that one; from the backup where there is one.",
      example: "restore a copy of A to B"
    ) { .life(.restoreOnto(of: $0.device, to: $0.name("copy"))) },
  ]

  static let accounts: [Sentence] = [
    .step("{devices} signs|sign out", "The user signs out.", example: "A signs out") {
      .account(.signOut($0.devices()))
    },
    .step("{devices} signs|sign in as {name}", "The user signs in after a sign-out.", example: "A signs in as nanny") {
      .account(.signIn($0.devices(), $0.name()))
    },
    .step(
      "{devices} signs|sign up as {name}", "The user makes an account of that name and is signed in to it.",
      example: "A signs up as nanny"
    ) { .account(.signUp($0.devices(), $0.name())) },
    .step(
      "{devices} switches|switch to {name}", "The user goes from one account to another in one step.",
      example: "A switches to mum"
    ) { .account(.switchTo($0.devices(), $0.name())) },
    .step(
      "{device} goes on with its migration",
      "The user wants an upload of local rows into the account to go on that was interrupted.",
      example: "A goes on with its migration"
    ) { .account(.migrate($0.device)) },
    .step(
      "{device} takes its migration back",
      "The device gets the local rows of its backup again, and is signed out. Rows in the cloud stay.",
      example: "A takes its migration back"
    ) { .account(.rollBack($0.device, isCloudMeant: false)) },
    .step(
      "{device} takes its migration back with its rows in the cloud",
      "The same, and the rows in the cloud that only this device has written are removed first.",
      example: "A takes its migration back with its rows in the cloud"
    ) { .account(.rollBack($0.device, isCloudMeant: true)) },
    .step(
      "the account of {device} is {way:available|unavailable}",
      "The account cannot be used, such as behind a password prompt, or can be used again.",
      example: "the account of A is unavailable"
    ) { .account(.available($0.device, $0.name("way") == "available")) },
  ]

  static let clocks: [Sentence] = [
    .step(
      "{device:owner} clock is {span} {way:ahead|behind}", "Sets a wall clock wrong by that much.",
      example: "A's clock is 1h ahead"
    ) {
      .clock(.offset($0.device, milliseconds: $0.span().milliseconds * ($0.name("way") == "behind" ? -1 : 1)))
    },
    .step("{device:owner} clock is right", "Sets a wall clock right.", example: "A's clock is right") {
      .clock(.right($0.device))
    },
    .step(
      "{device:owner} clock {way:gains|loses} {span} a day", "Makes a wall clock too fast or too slow.",
      example: "A's clock gains 2s a day"
    ) {
      .clock(.drift($0.device, millisecondsADay: $0.span().milliseconds * ($0.name("way") == "loses" ? -1 : 1)))
    },
    .step(
      "{device:owner} clock is set to {time}", "Sets a wall clock to a moment, from which it goes on.",
      example: "A's clock is set to 2027-01-15T08:00:00Z"
    ) { .clock(.set($0.device, $0.time)) },
    .step(
      "{device:owner} clock stands at {time}", "Stops a wall clock at a moment.",
      example: "A's clock stands at 2027-01-15T08:00:00Z"
    ) { .clock(.stands($0.device, $0.time)) },
    .step(
      "{device} is in {zone}", "Moves a device to a time zone; it begins in UTC.", example: "A is in Europe/Zurich"
    ) { .clock(.zone($0.device, $0.name("zone"))) },
  ]

  static let disks: [Sentence] = [
    .step(
      "{device:owner} disk fails the next [{number}] write|writes [after {way:keeping} it|them]",
      "The next writes fail; with `after keeping them` they fail although they are kept.",
      example: "A's disk fails the next 2 writes after keeping them"
    ) { .disk(.failWrites($0.device, $0.optionalNumber() ?? 1, keeping: $0.has("way"))) },
    .step("{device:owner} disk is full", "All writes fail until the disk has room.", example: "A's disk is full") {
      .disk(.full($0.device))
    },
    .step("{device:owner} disk has room [again]", "Writes succeed again.", example: "A's disk has room again") {
      .disk(.hasRoom($0.device))
    },
    .step(
      "{device:owner} disk takes {span} to write", "Every write takes so long.", example: "A's disk takes 2s to write"
    ) { .disk(.slow($0.device, $0.span())) },
    .step(
      "{device:owner} disk buffers its writes", "Writes survive a power cut only after the disk syncs.",
      example: "A's disk buffers its writes"
    ) { .disk(.buffers($0.device, true)) },
    .step(
      "{device:owner} disk writes through", "Every write survives a power cut at once.",
      example: "A's disk writes through"
    ) { .disk(.buffers($0.device, false)) },
    .step(
      "{device:owner} disk syncs", "What was buffered survives a power cut from here on.", example: "A's disk syncs"
    ) { .disk(.sync($0.device)) },
  ]
}
