import Glibc
import ZoneKitEventLoop
import ZoneKitPush
import ZoneKitRecords
import ZoneKitService
import ZoneKitSwissCoin
import ZoneKitTables
import ZoneKitThreads
import ZoneKitWire

/// `zonekit serve`: the cloud and the push gateway.
enum ServeVerb {
  static let spec = VerbSpec(
    "serve", summary: "run the cloud and its push gateway until SIGTERM or SIGINT",
    details: """
      ADDR is host:port (port 0 takes any free port) or unix:/path; systemd:NAME is the socket of that name that systemd
      passes to the program (FileDescriptorName= in a socket unit). With NOTIFY_SOCKET in its environment the server tells
      systemd when it is ready, and that it is alive. The first line on standard output has the addresses, as
      JSON. A terminal also gets them in words, on standard error, with what can be done there.
      --log writes a line to standard error for each request, push and event, with its outcome and time; with --json it is
      a JSON object.
      --tables serves the tables of a schema in SQL to Supabase clients; it may stand several times, and a folder stands for
      its files that end in .sql, in the order of their names. All problems of a schema are said at once.
      --functions names the file of answers for functions of the schema that are not carried out, such as
      Diagnostics/Schemas/profiles.functions.json.
      --auth open accepts any token and is refused on an address that is not loopback.
      Documents are served over REST below /sync: those of the diet log, or of an app that a file describes, such as
      Diagnostics/Documents/reading-list.json. --openapi prints the description of that protocol for them.
      """,
    options: [
      OptionSpec("--http", "ADDR", help: "the address for requests (default 127.0.0.1:7440)"),
      OptionSpec("--push", "ADDR", help: "the address of the push socket (default 127.0.0.1:7441)"),
      OptionSpec("--auth", "open|strict", help: "strict requires an API token of 64 hexadecimal digits (default open)"),
      OptionSpec(
        "--tables", "FILE.sql|FOLDER|swisscoin|none",
        help: "the tables: of a schema in SQL, or of an app (default swisscoin)", isRepeatable: true),
      OptionSpec(
        "--functions", "FILE.json", help: "answer calls of functions of the schema with the answers of this file"),
      DocumentsOption.spec,
      OptionSpec("--log", help: "write a line to standard error for each request, push and event"),
      OptionSpec("--openapi", help: "print the OpenAPI description of the documents as YAML, and serve nothing"),
      OptionSpec("--token-life", "SECONDS", help: "how long access tokens of accounts are valid (default 3600)"),
      OptionSpec("--dependents", "N", help: "the most DELETE_SELF references to one record (default: no limit)"),
      OptionSpec("--origin-leak", "PERCENT", help: "changes whose push also goes to their device (default 0)"),
      OptionSpec("--push-burst", "MS", help: "collect silent pushes for that long (default 0: do not)"),
      OptionSpec(
        "--push-slot", "newest|oldest|random", help: "which push is stored for an offline device (default newest)"),
      OptionSpec("--push-retire-tokens", help: "always on: a device's new push token invalidates its older ones"),
    ],
    examples: [
      "zonekit serve --data /tmp/world --http 127.0.0.1:0 --push unix:/tmp/push.sock",
      "zonekit serve --tables supabase/migrations",
      "curl -d '{}' 'http://127.0.0.1:7440/database/1/iCloud.com.example.nannyandme/development/private/zones/list?"
        + "ckAPIToken=t&ckWebAuthToken=user:nanny'",
      "zonekit serve --documents reading-list.json",
    ],
    run: run)

  private static func run(_ words: Invocation) throws(ExitFailure) -> Int32 {
    _ = try words.operands()
    if words.has("--openapi") {
      Console.print(bytes: Array(YAMLText.text(DocumentDescription(of: try DocumentsOption.app(words)).json).utf8))
      return 0
    }
    let mode = try authentication(words.value("--auth") ?? "open")
    let http = try ListeningPlace(words.value("--http") ?? "127.0.0.1:7440", of: "--http")
    let push = try ListeningPlace(words.value("--push") ?? "127.0.0.1:7441", of: "--push")
    var options = ServerOptions(
      data: DataDirectory(words.dataDirectory), http: http.address, push: push.address, authentication: mode,
      version: CommandLineProgram.version)
    options.passedSockets = try ListeningPlace.passedSockets(http, push)
    options.speak(to: AppTable.all)
    if words.has("--dependents") {
      options.limits.dependents = try words.number("--dependents", in: 0...1_000_000, default: 750)
    }
    try setTables(words.all("--tables"), answers: words.value("--functions"), &options)
    options.documents = try DocumentsOption.app(words)
    options.tokenLife = Int64(try words.number("--token-life", in: 60...86_400, default: 3_600))
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
    options.apps = { AppTable.apps(in: $0) }
    options.pageVerb = pageVerb(words)
    do {
      let server = try Server(options)
      Console.print(ready(server).text())
      if Console.output.isErrorTerminal { welcome(to: server, words) }
      server.run(reports: true)
    } catch {
      throw .unavailable("\(error)")
    }
    return 0
  }

  /// Carries out lines for the live page as if they were typed beside the server.
  private static func pageVerb(_ words: Invocation) -> PageVerb {
    let data = words.dataDirectory
    return PageVerb { line in
      let said = Lock<[UInt8]>([])
      let output = ConsoleOutput(
        isTerminal: false, print: { bytes in said.withLock { $0 += bytes } },
        complain: { bytes in said.withLock { $0 += bytes } })
      let code = Console.$output.withValue(output) { CommandLineProgram.run(line + ["--data", data]) }
      let text = String(decoding: said.withLock { $0 }, as: UTF8.self)
      return PageVerb.Outcome(code: code, said: text.split(separator: "\n").joined(separator: "\n"))
    }
  }

  /// Says in words where the server listens and what can be done there.
  private static func welcome(to server: Server, _ words: Invocation) {
    let data = words.has("--data") ? " --data \(words.dataDirectory)" : ""
    var rows = [
      [
        "requests", server.http.isUnix ? "\(server.http)" : "http://\(server.http)",
        "CloudKit Web Services, documents below /sync; the live page in a browser",
      ],
      ["pushes", "\(server.pushAddress)", "one JSON object a line; devices and nc connect there"],
    ]
    if let supabase = server.supabase {
      rows.append(["tables", supabase.url, "SUPABASE_URL; the line above has SUPABASE_ANON_KEY"])
    }
    if let key = server.controlKey { rows.append(["administration", "key \(key)", "for requests below /zonekit"]) }
    rows.append(["a device", "zonekit device A\(data)", "in another terminal; help at its prompt lists the commands"])
    rows.append(["its state", "zonekit diagnostics\(data)", "or the requests' address and /zonekit/status"])
    let head = "zonekit \(CommandLineProgram.version) serves \(words.dataDirectory) until Ctrl-C"
    Console.complain(
      head + "\n" + TextTable(rows.map { ["  \($0[0])"] + $0.dropFirst() }).text(within: Console.columns))
  }

  private static func ready(_ server: Server) -> JSON {
    var members = [
      JSON.Member("event", "ready"), JSON.Member("http", .string("\(server.http)")),
      JSON.Member("push", .string("\(server.pushAddress)")), JSON.Member("pid", .integer(Int64(getpid()))),
      JSON.Member("zonekit", .string(CommandLineProgram.version)),
    ]
    if let supabase = server.supabase {
      members.append(
        JSON.Member("supabase", ["url": .string(supabase.url), "anonKey": .string(supabase.anonymousKey)]))
    }
    if let key = server.controlKey { members.append(JSON.Member("key", .string(key))) }
    return .object(members)
  }

  private static func authentication(_ text: String) throws(ExitFailure) -> Authentication.Mode {
    guard let mode = Authentication.Mode(rawValue: text) else {
      throw .usage("--auth takes open or strict, not \(text)")
    }
    return mode
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

  /// Parses an address, which may be written as a URL. The error names the option.
  static func address(_ text: String, of option: String) throws(ExitFailure) -> Address {
    var place = text
    if let slashes = text.firstRange(of: "://"), !text.hasPrefix("unix:") {
      let scheme = text[..<slashes.upperBound]
      guard scheme == "http://" else {
        throw .usage("\(option): only http:// and unix: are spoken, not \(scheme)")
      }
      place = String(text[slashes.upperBound...])
      while place.hasSuffix("/") { place.removeLast() }
      if let slash = place.firstIndex(of: "/") {
        throw .usage("\(option): an address has no path; leave \(place[slash...]) out")
      }
      if place.hasSuffix("]") || !place.contains(":") { place += ":80" }
    }
    do {
      return try Address(parsing: place)
    } catch {
      throw .usage("\(option): \(error)")
    }
  }
}
