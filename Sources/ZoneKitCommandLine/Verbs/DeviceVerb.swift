import ZoneKitDeviceHost
import ZoneKitEventLoop
import Glibc
import ZoneKitLineEditor
import ZoneKitOwnApps
import ZoneKitRecords
import ZoneKitService
import ZoneKitStorage
import ZoneKitSync
import ZoneKitTables

/// `zonekit device`: one device as a process.
enum DeviceVerb {
  /// The option that names a server.
  static let serverOption = OptionSpec("--server", "URL", help: "the cloud: http://host:port or unix:/path")

  static let spec = VerbSpec(
    "device", "NAME", meanings: ["NAME": .name(.devices)],
    summary: "run a device with an app: carry out commands and print events",
    details: """
      Commands come from -c, otherwise from standard input. The device also works without a server. Without --server and
      --push it connects to the server that runs in DIR, otherwise to 127.0.0.1:7440 and :7441.

      After the last -c, at the end of input, after quit, and on SIGINT or SIGTERM the device first sends what waits, without
      quiet times, for at most --linger. A request that was written is waited for even longer. A second signal ends the
      device at once. If edits stay unsent, the last line says how many and why, and the exit code is 3. They are in the
      store and are sent at the next start. That is no failure where the device is offline by command, where nobody is
      signed in, where the app was sent away, and where no --server is given and none has run in DIR: standard error then
      has the line, and the exit code is 0.

      The store of a device belongs to the app that made it.

      \(AppTable.all.map(commands).joined(separator: "\n\n"))

      commands with --app \(DeviceApp.documentsName) --documents FILE, besides those for the device:
      \(DeviceApp.documentsHelp.map { "  \($0)" }.joined(separator: "\n"))

      commands with --app \(DeviceApp.rowsName) --tables FILE.sql, besides those for the device:
      \(DeviceApp.rowsHelp.map { "  \($0)" }.joined(separator: "\n"))
      """,
    options: [
      OptionSpec("-c", "COMMAND", help: "a command; standard input is then not read", isRepeatable: true),
      AppTable.option,
      DocumentsOption.deviceSpec,
      TablesOption.deviceSpec,
      AppTable.container,
      AppTable.via,
      OptionSpec("--user", "USER", help: "the account (default: that of the store, otherwise nanny)"),
      serverOption,
      OptionSpec("--api-token", "TEXT", help: "the API token of the app, for a server with --auth strict"),
      OptionSpec("--web-token", "TEXT", help: "the web token of the account, as zonekit auth user token prints it"),
      OptionSpec("--push", "ADDR", help: "the push socket: host:port or unix:/path"),
      OptionSpec("--no-push", help: "have no pushes; fetch every 15 minutes in the foreground"),
      OptionSpec("--key", "KEY", help: "the app's key for a server of tables (default: that of the server in DIR)"),
      OptionSpec(
        "--vsn", "VERSION", help: "the version of messages on a realtime socket: 1.0.0 or 2.0.0 (default)",
        kind: .word(ChannelVersion.allCases.map(\.rawValue))),
      OptionSpec("--linger", "SECONDS", help: "how long to wait for pending changes to be sent (default 5)"),
      OptionSpec(
        "--tune", "NAME=NUMBER", help: "change a setting of the coordinator; a wrong name lists all", isRepeatable: true
      ),
      OptionSpec("--debounce", "MS", help: "the debounce before a sync (default 250)"),
      OptionSpec("--clock-offset", "MS", help: "the offset of the device's clock; negative if it is behind"),
      OptionSpec("--clock-drift", "PPM", help: "the drift of the device's clock in parts per million"),
      OptionSpec("--timezone", "NAME", help: "the time zone of the device, such as Europe/Zurich (default: UTC)"),
      OptionSpec("--signed-out", help: "start signed out"),
      OptionSpec("--life", help: "hold pushes back and suspend the app as a phone does"),
      OptionSpec("--eager", help: "carry out commands without waiting for a sync to end"),
      OptionSpec("--offline", help: "start offline"),
    ],
    examples: [
      "zonekit device A -c 'profile name \"Mia\"' -c 'log feeding bottle volume 120'",
      "echo list | zonekit device B --json",
      "zonekit device A --app records -c 'new Task as milk title=\"Oat milk\" count=2'",
      "zonekit device A --app documents --documents reading-list.json -c list",
    ],
    run: run)

  private static func run(_ words: Invocation) throws(ExitFailure) -> Int32 {
    let name = try words.operands("NAME")[0]
    let linger = try words.number("--linger", in: 0...86_400, default: 5)
    let options = try options(for: name, words)
    do throws(ServiceError) {
      return try run(options, words, linger: Int64(linger) * 1000)
    } catch {
      throw .unavailable("\(error)")
    }
  }

  private static func run(
    _ options: DeviceOptions, _ words: Invocation, linger: Int64
  ) throws(ServiceError) -> Int32 {
    let loop = try newLoop()
    let commands = words.all("-c")
    let isTyped = commands.isEmpty && !words.wantsJSON && Console.output.isTerminal && isatty(STDIN_FILENO) == 1
    let editor = isTyped ? LineEditor(prompt: "\(options.name)> ") : nil
    let printer = DevicePrinter(device: options.name, wantsJSON: words.wantsJSON, editor: editor)
    var life = DeviceRun(
      options: options, rest: (commands, !commands.isEmpty), linger: linger, isEager: words.has("--eager"))
    while try life.run(on: loop, printer, input: commands.isEmpty ? .some(editor) : nil) {}
    printer.close()
    if let outcome = life.outcome { printer.finish(outcome) }
    return commands.isEmpty ? life.endCode : life.exitCode
  }

  private static func newLoop() throws(ServiceError) -> Loop {
    do {
      return try Loop()
    } catch {
      throw ServiceError(error)
    }
  }

  // MARK: Options

  /// The app of that device, with the coordinator's settings changed by the options.
  private static func app(ofDevice name: String, _ words: Invocation) throws(ExitFailure) -> DeviceApp {
    var app = try AppTable.app(ofOldOrNewDevice: name, words)
    if words.has("--debounce") {
      app.configuration.pacing.quiet = Int64(try words.number("--debounce", in: 0...60_000, default: 250))
    }
    if words.has("--no-push") { app.configuration.goWithoutPushes() }
    for word in words.all("--tune") { try DeviceTuning(word).apply(to: &app) }
    return app
  }

  /// The section about commands in the help, for a device with that app.
  private static func commands(with app: DeviceApp) -> String {
    let lines = ConsoleCommand.help(for: app).split(separator: "\n").map { "  \($0)" }
    return (["commands with --app \(app.name):"] + lines).joined(separator: "\n")
  }

  private static func options(for name: String, _ words: Invocation) throws(ExitFailure) -> DeviceOptions {
    let data = DataDirectory(words.dataDirectory)
    guard (try? data.device(name)) != nil, !name.isEmpty else {
      throw .usage("NAME must be a name of 1 to 240 bytes, not one of \(name.utf8.count)")
    }
    let running = RunningServer.addresses(in: data)
    var options = DeviceOptions(
      name: name, data: data,
      server: try address(words.value("--server"), of: "--server") ?? running?.http
        ?? .tcp(host: "127.0.0.1", port: 7440),
      push: try address(words.value("--push"), of: "--push") ?? running?.push ?? .tcp(host: "127.0.0.1", port: 7441),
      app: try app(ofDevice: name, words), unmarkedApp: AppTable.standard.name)
    options.user = words.value("--user").map { Name($0) }
    (options.apiToken, options.webAuthToken) = (words.value("--api-token"), words.value("--web-token"))
    if options.app.hasTables { try addTables(to: &options, words) }
    options.clockOffset = Int64(
      try words.number("--clock-offset", in: -1_000_000_000_000...1_000_000_000_000, default: 0))
    let drift = Int(ClockSetting.driftLimit)
    options.clockDrift = Int64(try words.number("--clock-drift", in: -drift...drift, default: 0))
    if let name = words.value("--timezone") {
      do throws(TimeZoneError) { options.timeZone = try SystemTimeZones.rules(name) } catch {
        throw .usage("--timezone: \(error)")
      }
    }
    options.isSignedOut = words.has("--signed-out")
    options.knowsServer = words.has("--server") || running != nil || data.hasCloud
    options.startsOffline = words.has("--offline")
    options.hasLife = words.has("--life")
    return options
  }

  /// Reads the options for an app whose rows lie in the tables of a server, and refuses those that do not apply to it.
  private static func addTables(to options: inout DeviceOptions, _ words: Invocation) throws(ExitFailure) {
    for option in ["--user", "--signed-out"] where words.has(option) {
      throw .usage(
        "\(option) does not apply to \(options.app.name): its accounts sign in with signin EMAIL PASSWORD")
    }
    if words.has("--no-push") {
      throw .usage("--no-push does not apply to \(options.app.name): its devices hear changes on a realtime socket")
    }
    let version = words.value("--vsn") ?? ChannelVersion.second.rawValue
    guard let known = ChannelVersion(rawValue: version) else {
      throw .usage("--vsn must be 1.0.0 or 2.0.0, not \(version)")
    }
    options.channelVersion = known
    let (key, data) = (words.value("--key"), options.data)
    options.tableKey = { key ?? RunningServer.anonymousKey(in: data) ?? "anon" }
  }

  /// An address; nil if there is none.
  static func address(_ text: String?, of option: String) throws(ExitFailure) -> Address? {
    try text.map { (text) throws(ExitFailure) in try ServeVerb.address(text, of: option) }
  }
}
