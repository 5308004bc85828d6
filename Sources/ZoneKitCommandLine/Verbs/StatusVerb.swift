import ZoneKitRecords
import ZoneKitService

/// `zonekit status`: the addresses and keys of a running server.
enum StatusVerb {
  static let spec = VerbSpec(
    "status", summary: "show the addresses and keys of the server that runs in the data directory",
    details: """
      -o env prints shell variables: ZONEKIT_HTTP, ZONEKIT_PUSH, SUPABASE_URL, SUPABASE_ANON_KEY,
      SUPABASE_SERVICE_ROLE_KEY, and with --auth strict ZONEKIT_KEY. Those that the server does not have are left out. The
      service role key sees the rows of all accounts. Exit code 3: no server is running.
      """,
    options: [OptionSpec("-o", "env", help: "print shell variables")],
    examples: ["zonekit status", "eval \"$(zonekit status -o env)\"", "zonekit status -o env > .env"],
    run: run)

  private static func run(_ words: Invocation) throws(ExitFailure) -> Int32 {
    _ = try words.operands()
    if let form = words.value("-o") {
      guard form == "env" else { throw .usage("-o takes env, not \(form); --json prints JSON") }
      guard !words.wantsJSON else { throw .usage("-o env and --json exclude each other") }
    }
    let data = DataDirectory(words.dataDirectory)
    let running = try ExitFailure.from { () throws(StoresError) in try RunningServer.variables(in: data) }
    guard let running else {
      throw .unavailable(
        "no server is running in \(data.root); start one with zonekit serve, or name another with --data")
    }
    let known = running.variables.known
    if words.has("-o") {
      for variable in known { Console.print("\(variable.name)=\(ShellText.quoted(variable.text))") }
    } else if words.wantsJSON {
      Console.print(json(data, running.pid, known).text())
    } else {
      let rows = known.map { ["  \(names[$0.name] ?? $0.name)", $0.text] }
      Console.print("the server of \(data.root) is running as process \(running.pid)")
      // A key that goes on in a second line could not be copied.
      Console.print(TextTable(rows).text(within: nil))
    }
    return 0
  }

  private static let names = [
    "ZONEKIT_HTTP": "requests", "ZONEKIT_PUSH": "pushes", "SUPABASE_URL": "tables", "SUPABASE_ANON_KEY": "anon key",
    "SUPABASE_SERVICE_ROLE_KEY": "service role key", "ZONEKIT_KEY": "administration key",
  ]

  /// The names of the members are those of the ready line of `serve`.
  private static func json(_ data: DataDirectory, _ pid: Int64, _ known: [(name: String, text: String)]) -> JSON {
    func members(_ names: [(variable: String, member: String)]) -> [JSON.Member] {
      names.compactMap { name in
        known.first { $0.name == name.variable }.map { JSON.Member(name.member, .string($0.text)) }
      }
    }
    let head = [
      JSON.Member("event", "status"), JSON.Member("data", .string(data.root)), JSON.Member("pid", .integer(pid)),
    ]
    let tables = members([
      ("SUPABASE_URL", "url"), ("SUPABASE_ANON_KEY", "anonKey"), ("SUPABASE_SERVICE_ROLE_KEY", "serviceRoleKey"),
    ])
    return .object(
      head + members([("ZONEKIT_HTTP", "http"), ("ZONEKIT_PUSH", "push")])
        + (tables.isEmpty ? [] : [JSON.Member("supabase", .object(tables))]) + members([("ZONEKIT_KEY", "key")]))
  }
}
