import ZoneKitCloud
import ZoneKitEventLoop
import ZoneKitPush
import ZoneKitRecords
import ZoneKitService
import ZoneKitSwissCoin
import ZoneKitTables
import ZoneKitWire

/// The options of a server that `serve` and `exec` have in common.
enum ServerArguments {
  static let options = [
    OptionSpec("--auth", "open|strict", help: "strict accepts registered tokens, keys and users alone (default open)"),
    OptionSpec(
      "--key-scope", "public|all", help: "the databases that keys of servers may use (default public)"),
    OptionSpec(
      "--key-clock", "SECONDS", help: "how far the date of a signed request may be off (default 600)"),
    OptionSpec(
      "--tables", "FILE.sql|FOLDER|swisscoin|none",
      help: "the tables: of a schema in SQL, or of an app (default swisscoin)", isRepeatable: true),
    OptionSpec(
      "--functions", "FILE.json", help: "answer calls of functions of the schema with the answers of this file"),
    DocumentsOption.spec,
    OptionSpec("--log", help: "write a line to standard error for each request, push and event"),
    OptionSpec("--token-life", "SECONDS", help: "how long access tokens of accounts are valid (default 3600)"),
    OptionSpec("--schema", "FILE.ckdb", help: "the schema of the containers in Apple's schema language"),
    OptionSpec("--strict", help: "refuse what CloudKit refuses and clients are known to send"),
    OptionSpec("--dependents", "N", help: "the most DELETE_SELF references to one record (default: no limit)"),
    OptionSpec("--origin-leak", "PERCENT", help: "changes whose push also goes to their device (default 0)"),
    OptionSpec("--push-burst", "MS", help: "collect silent pushes for that long (default 0: do not)"),
    OptionSpec(
      "--push-slot", "newest|oldest|random", help: "which push is stored for an offline device (default newest)"),
    OptionSpec("--push-retire-tokens", help: "always on: a device's new push token invalidates its older ones"),
  ]

  /// What the help says about them.
  static let details = """
    --strict refuses what CloudKit refuses, and what the server otherwise accepts because clients are known to send it: a
    save or query of a record type or field that the container does not have, a delete without a change tag, a TIMESTAMP
    with a fraction, a value of IN without a list type, and a request with both tokens and a signature. An empty sync token
    then stands for the newest state. The documentation page Strictness says more.
    --schema fixes the record types and fields to those of a file that `cktool export-schema` wrote. Queries need its indexes,
    and requests to public databases its grants. A file that cannot be read is refused with the line and column.
    --log writes a line to standard error for each request, push and event, with its outcome and time; with --json it is
    a JSON object.
    --tables serves the tables of a schema in SQL to Supabase clients; it may stand several times, and a folder stands for
    its files that end in .sql, in the order of their names. All problems of a schema are said at once.
    --functions names the file of answers for functions of the schema that are not carried out, such as
    Diagnostics/Schemas/profiles.functions.json.
    --auth open accepts any token and is refused on an address that is not loopback. --auth strict accepts the API tokens,
    keys and users that zonekit auth has registered.
    """

  /// The options of a server with that data directory and those addresses.
  static func serverOptions(
    _ words: Invocation, data: DataDirectory, http: Address, push: Address
  ) throws(ExitFailure) -> ServerOptions {
    let mode = try authentication(words.value("--auth") ?? "open")
    var options = ServerOptions(
      data: data, http: http, push: push, authentication: mode, version: CommandLineProgram.version)
    options.speak(to: AppTable.all)
    options.apps = { AppTable.apps(of: $0) }
    options.pageVerb = .program(in: data)
    if words.has("--dependents") {
      options.limits.dependents = try words.number("--dependents", in: 0...1_000_000, default: 750)
    }
    options.rules.schema = try words.value("--schema").map { (path) throws(ExitFailure) in try schema(path) }
    if words.has("--strict") { options.rules.strictness = .all }
    try setTables(words.all("--tables"), answers: words.value("--functions"), &options)
    options.documents = try DocumentsOption.app(words)
    options.tokenLife = Int64(try words.number("--token-life", in: 60...86_400, default: 3_600))
    options.opensPrivateToKeys = try opensPrivateToKeys(words.value("--key-scope") ?? "public")
    options.dateTolerance = Int64(try words.number("--key-clock", in: 1...31_536_000, default: 600))
    options.originLeak = Double(try words.number("--origin-leak", in: 0...100, default: 0)) / 100
    options.pushBurst = Int64(try words.number("--push-burst", in: 0...3_600_000, default: 0))
    options.pushSlot = try slot(words.value("--push-slot") ?? "newest")
    if let address = options.exposedAddress {
      throw .usage("--auth open is refused on \(address), which is not loopback; use 127.0.0.1 or --auth strict")
    }
    if words.has("--log") {
      let asJSON = words.wantsJSON
      options.onLog = { Console.complain(asJSON ? $0.json.text() : $0.text) }
    }
    return options
  }

  /// Brings the cloud that `--import` names into the data directory, if there is such an option.
  static func bringCloud(of words: Invocation, into data: DataDirectory) throws(ExitFailure) {
    guard let folder = words.value("--import") else { return }
    let backup = try ExitFailure.from { () throws(StoresError) in
      try CloudExchange.bring(folder, into: data, at: SystemClock.wall)
    }
    if let backup { Console.complain("the cloud that was in \(data.root) is in \(backup)") }
  }

  private static func schema(_ path: String) throws(ExitFailure) -> ContainerSchema {
    let text = try InputFile.read(path)
    do throws(ContainerSchemaError) {
      return try ContainerSchema(reading: text)
    } catch {
      throw .input("the schema of \(path) cannot be used: \(error)")
    }
  }

  private static func authentication(_ text: String) throws(ExitFailure) -> Authentication.Mode {
    guard let mode = Authentication.Mode(rawValue: text) else {
      throw .usage("--auth takes open or strict, not \(text)")
    }
    return mode
  }

  private static func opensPrivateToKeys(_ text: String) throws(ExitFailure) -> Bool {
    switch text {
    case "public": return false
    case "all": return true
    default: throw .usage("--key-scope takes public or all, not \(text)")
    }
  }

  private static func setTables(
    _ values: [String], answers path: String?, _ options: inout ServerOptions
  ) throws(ExitFailure) {
    let words = ["none", SwissCoin.tables.name]
    if values.count > 1, let word = values.first(where: words.contains) {
      throw .usage("--tables \(word) stands alone; files and folders of a schema may be several")
    }
    if path != nil, values.first.map(words.contains) ?? true {
      throw .usage("--functions is about a schema of your own: name its files with --tables")
    }
    switch values.first {
    case nil, SwissCoin.tables.name: options.tables = SwissCoin.tables
    case "none": options.tables = nil
    default:
      do {
        options.ownTables = try OwnTables(SchemaFiles(values, answers: path))
        options.tables = .own
      } catch {
        throw .input("the tables of \(values.joined(separator: " and ")) cannot be served\n\(error)")
      }
    }
  }

  private static func slot(_ text: String) throws(ExitFailure) -> PushGateway.SlotPolicy {
    guard let slot = PushGateway.SlotPolicy(rawValue: text) else {
      throw .usage("--push-slot takes newest, oldest or random, not \(text)")
    }
    return slot
  }
}
