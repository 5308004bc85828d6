import Glibc
import ZoneKitEventLoop
import ZoneKitRecords
import ZoneKitService
import ZoneKitWire

/// `zonekit serve`: the cloud and the push gateway.
enum ServeVerb {
  /// The address for requests where none is named.
  static let usualHTTP = "127.0.0.1:7440"
  /// The address for pushes where none is named.
  static let usualPush = "127.0.0.1:7441"

  static let spec = VerbSpec(
    "serve", summary: "run the cloud and its push gateway until SIGTERM or SIGINT",
    details: """
      ADDR is host:port (port 0 takes any free port) or unix:/path; systemd:NAME is the socket of that name that systemd
      passes to the program (FileDescriptorName= in a socket unit). With NOTIFY_SOCKET in its environment the server tells
      systemd when it is ready, and that it is alive. The first line on standard output has the addresses, as
      JSON. A terminal also gets them in words, on standard error, with what can be done there.
      \(ServerArguments.details)
      Documents are served over REST below /sync: those of the diet log, or of an app that a file describes, such as
      Diagnostics/Documents/reading-list.json. --openapi prints the description of that protocol for them.
      FOLDER of --import is a data directory, a snapshot's folder or an earlier export. --export-on-exit replaces an earlier
      export and nothing else, also if it is the folder of --import; devices are in neither.
      """,
    options: [
      OptionSpec("--http", "ADDR", help: "the address for requests (default \(usualHTTP))"),
      OptionSpec("--push", "ADDR", help: "the address of the push socket (default \(usualPush))"),
      OptionSpec("--import", "FOLDER", help: "begin with the cloud of this folder; the present one becomes a backup"),
      OptionSpec("--export-on-exit", "FOLDER", help: "write the cloud to this folder at the end"),
      OptionSpec("--openapi", help: "print the OpenAPI description of the documents as YAML, and serve nothing"),
    ] + ServerArguments.options,
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
    let data = DataDirectory(words.dataDirectory)
    let http = try ListeningPlace(words.value("--http") ?? usualHTTP, of: "--http")
    let push = try ListeningPlace(words.value("--push") ?? usualPush, of: "--push")
    var options = try ServerArguments.serverOptions(words, data: data, http: http.address, push: push.address)
    options.passedSockets = try ListeningPlace.passedSockets(http, push)
    let export = words.value("--export-on-exit")
    if let export { try ExitFailure.from { () throws(StoresError) in try CloudExchange.checkTarget(export) } }
    try ServerArguments.bringCloud(of: words, into: data)
    do {
      let server = try Server(options)
      Console.print(ready(server).text())
      if Console.output.isErrorTerminal { welcome(to: server, words) }
      server.run(reports: true)
      if let failure = server.failure { throw failure }
    } catch {
      throw .unavailable("\(error)")
    }
    if let export { try write(data, to: export) }
    return 0
  }

  private static func write(_ data: DataDirectory, to folder: String) throws(ExitFailure) {
    try ExitFailure.from { () throws(StoresError) in
      try CloudExchange.write(data, to: folder, version: CommandLineProgram.version, at: SystemClock.wall)
    }
    Console.complain("exported the cloud of \(data.root) to \(folder)")
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
