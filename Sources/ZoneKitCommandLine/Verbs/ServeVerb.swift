import ZoneKitDietLog
import ZoneKitEventLoop
import Glibc
import ZoneKitPush
import ZoneKitRecords
import ZoneKitSwissCoin
import ZoneKitTables
import ZoneKitWire
import ZoneKitService

/// `zonekit serve`: the cloud and the push gateway.
enum ServeVerb {
  static let spec = VerbSpec(
    "serve", summary: "run the cloud and its push gateway until SIGTERM or SIGINT",
    details: """
      ADDR is host:port (port 0 takes any free port) or unix:/path. The first line on standard output has the addresses.
      --auth open accepts any token and is refused on an address that is not loopback.
      Documents of the diet log are served over REST below /sync; --openapi prints the description of that protocol.
      """,
    options: [
      OptionSpec("--http", "ADDR", help: "the address for requests (default 127.0.0.1:7440)"),
      OptionSpec("--push", "ADDR", help: "the address of the push socket (default 127.0.0.1:7441)"),
      OptionSpec("--auth", "open|strict", help: "strict requires an API token of 64 hexadecimal digits (default open)"),
      OptionSpec("--tables", "swisscoin|none", help: "the app whose tables are served (default swisscoin)"),
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
      "curl -d '{}' 'http://127.0.0.1:7440/database/1/iCloud.com.example.nannyandme/development/private/zones/list?"
        + "ckAPIToken=t&ckWebAuthToken=user:nanny'",
    ],
    run: run)

  private static func run(_ words: Invocation) throws(ExitFailure) -> Int32 {
    _ = try words.operands()
    if words.has("--openapi") {
      Console.print(bytes: Array(YAMLText.text(DocumentDescription(of: DietLog.documents).json).utf8))
      return 0
    }
    let mode = try authentication(words.value("--auth") ?? "open")
    var options = ServerOptions(
      data: DataDirectory(words.dataDirectory),
      http: try address(words.value("--http") ?? "127.0.0.1:7440", of: "--http"),
      push: try address(words.value("--push") ?? "127.0.0.1:7441", of: "--push"),
      authentication: mode, version: CommandLineProgram.version)
    options.speak(to: AppTable.all)
    if words.has("--dependents") {
      options.limits.dependents = try words.number("--dependents", in: 0...1_000_000, default: 750)
    }
    options.tables = try tables(words.value("--tables") ?? SwissCoin.tables.name)
    options.documents = DietLog.documents
    options.tokenLife = Int64(try words.number("--token-life", in: 60...86_400, default: 3_600))
    options.originLeak = Double(try words.number("--origin-leak", in: 0...100, default: 0)) / 100
    options.pushBurst = Int64(try words.number("--push-burst", in: 0...3_600_000, default: 0))
    options.pushSlot = try slot(words.value("--push-slot") ?? "newest")
    if let address = options.exposedAddress {
      throw .usage("--auth open is refused on \(address), which is not loopback; use 127.0.0.1 or --auth strict")
    }
    do {
      let server = try Server(options)
      Console.print(ready(server).text())
      server.run()
    } catch {
      throw .unavailable("\(error)")
    }
    return 0
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

  private static func tables(_ text: String) throws(ExitFailure) -> TableApp? {
    switch text {
    case SwissCoin.tables.name: return SwissCoin.tables
    case "none": return nil
    default: throw .usage("--tables takes \(SwissCoin.tables.name) or none, not \(text)")
    }
  }

  private static func slot(_ text: String) throws(ExitFailure) -> PushGateway.SlotPolicy {
    guard let slot = PushGateway.SlotPolicy(rawValue: text) else {
      throw .usage("--push-slot takes newest, oldest or random, not \(text)")
    }
    return slot
  }

  /// Parses an address. The error names the option.
  static func address(_ text: String, of option: String) throws(ExitFailure) -> Address {
    do {
      return try Address(parsing: text)
    } catch {
      throw .usage("\(option): \(error)")
    }
  }
}
