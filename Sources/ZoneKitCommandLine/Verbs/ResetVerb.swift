import ZoneKitRecords
import ZoneKitService
import ZoneKitStorage

/// `zonekit reset`: empties stores.
enum ResetVerb {
  static let spec = VerbSpec(
    "reset", "local DEVICE | tokens DEVICE | zone NAME | cloud | all", meanings: ["NAME": .name(.zones)],
    summary: "empty a device's store or the cloud",
    details: """
      local    removes a device's records and change tokens; it fetches them again. The device ID stays, and the cloud is
               unchanged
      tokens   removes a device's change tokens only; it fetches and compares everything
      zone     deletes the records of the zones of that name, in all databases unless options limit it
      cloud    deletes the records of all zones, unless options limit it
      all      cloud, and local for every device
      The rows of tables of your own go with the cloud, and come again as the schema inserts them; accounts remain.
      Deleted records leave ordinary tombstones, which devices fetch; subscriptions remain. First a backup is made in
      DIR/backups. local and tokens also reset a device that runs. Otherwise refused while a process uses the store.
      """,
    options: [
      OptionSpec("--yes", help: "confirm the reset, which is asked for on a terminal"),
      OptionSpec("--dry-run", help: "only print what would be removed"),
      OptionSpec("--no-backup", help: "make no backup"),
      OptionSpec("--keep-pending", help: "local: keep unsent edits"),
      OptionSpec("--user", "USER", help: "zone, cloud: only this account's"),
      OptionSpec("--container", "NAME", help: "zone, cloud: only this container's"),
      OptionSpec("--environment", "NAME", help: "zone, cloud: only development or production", kind: .environment),
    ],
    examples: ["zonekit reset local A --dry-run", "zonekit reset zone NannyAndMe --user nanny --yes"],
    run: run)

  private static func run(_ words: Invocation) throws(ExitFailure) -> Int32 {
    let target = try target(words)
    let data = try words.existingData()
    let (reset, planned) = try ExitFailure.from { () throws(StoresError) in
      let reset = try ScriptedReset(target, in: data)
      return (reset, try reset.plan())
    }
    if words.has("--dry-run") {
      show(planned, of: target, isDryRun: true, backup: nil, asJSON: words.wantsJSON)
      return 0
    }
    try words.confirm(
      "reset \(words.operands.joined(separator: " ")) takes away \(ResetText.summary(planned, of: target))")
    var generator = SystemGenerator()
    let done = try ExitFailure.from { () throws(StoresError) in
      try reset.perform(backingUp: !words.has("--no-backup"), at: SystemClock.wall, using: &generator)
    }
    show(done.plan, of: target, isDryRun: false, backup: done.backup, asJSON: words.wantsJSON)
    return 0
  }

  private static func show(
    _ plan: ResetPlan, of target: ResetTarget, isDryRun: Bool, backup: String?, asJSON: Bool
  ) {
    Console.print(
      asJSON
        ? ResetText.json(plan, of: target, isDryRun: isDryRun, backup: backup).text()
        : ResetText.text(plan, of: target, isDryRun: isDryRun, backup: backup))
  }

  // MARK: Words

  private static func target(_ words: Invocation) throws(ExitFailure) -> ResetTarget {
    let kinds = ["local", "tokens", "zone", "cloud", "all"]
    guard let kind = words.operands.first else { throw .usage("\(kinds.joined(separator: ", ")) is missing") }
    let filter = ZoneFilter(
      zoneName: nil, user: words.value("--user").map { Name($0) },
      container: words.value("--container").map { Name($0) },
      environment: try words.environment())
    let target: ResetTarget
    switch kind {
    case "local":
      target = .local(device: try words.operands("local", "DEVICE")[1], keepingPending: words.has("--keep-pending"))
    case "tokens": target = .tokens(device: try words.operands("tokens", "DEVICE")[1])
    case "zone":
      var named = filter
      named.zoneName = Name(try words.operands("zone", "NAME")[1])
      target = .cloud(named)
    case "cloud", "all":
      _ = try words.operands(kind)
      target = kind == "all" ? .all : .cloud(filter)
    default:
      throw .usage(
        "reset takes \(kinds.joined(separator: ", ")), not \(kind)\(Suggestion.text(for: kind, among: kinds))")
    }
    try refuseIdle(words, for: kind)
    return target
  }

  /// Refuses options that have no effect on that kind of reset.
  private static func refuseIdle(_ words: Invocation, for kind: String) throws(ExitFailure) {
    if kind != "local", words.has("--keep-pending") {
      throw .usage("--keep-pending goes with reset local, not \(kind)")
    }
    for option in ["--user", "--container", "--environment"]
    where kind != "zone" && kind != "cloud" && words.has(option) {
      throw .usage("\(option) goes with reset zone and reset cloud, not \(kind)")
    }
  }
}
