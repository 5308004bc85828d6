import Glibc
import ZoneKitProcesses
import ZoneKitRecords
import ZoneKitService

/// The program. It finds the verb, parses its arguments and runs it, and converts errors to a message and an exit code.
enum CommandLineProgram {
  /// The version in `--version`, in dumps and in the server's `ready` line.
  static let version = "0.1.0"

  /// The day of the manual page, which changes with the verbs.
  static let date = "November 29, 2026"

  /// What the program is, in one sentence.
  static let summary =
    "A CloudKit-style cloud, its push service and any number of devices on this machine, to see how an app syncs"

  /// All verbs, in the order of the help.
  static let verbs: [VerbSpec] = [
    ServeVerb.spec, StatusVerb.spec, ExecVerb.spec, AuthVerb.spec, AccountVerb.spec, SchemaVerb.spec, TablesVerb.spec,
    PurgeVerb.spec,
    DeviceVerb.spec,
    DemoVerb.spec, PushVerb.spec, TellVerb.spec, FaultVerb.spec,
    EraseVerb.spec, ResetVerb.spec,
    SnapshotVerb.spec,
    CheckVerb.spec, RepairVerb.spec, DiagnosticsVerb.spec, DiffVerb.spec, ImportVerb.spec, ExportVerb.spec,
    RunVerb.spec, ScenariosVerb.spec, SimulateVerb.spec,
    DoctorVerb.spec, CompletionsVerb.spec, ManualVerb.spec,
  ]

  /// Runs the program with those arguments and ends this process: with the exit code, or by the signal that came before the
  /// work was done.
  static func end(_ words: [String]) -> Never {
    do {
      exit(try dispatch(words))
    } catch {
      complain(of: error, about: words)
      guard let signal = error.signal else { exit(error.code) }
      EndingSignals.end(by: signal)
    }
  }

  /// Runs the program with those arguments and returns the exit code.
  static func run(_ words: [String]) -> Int32 {
    do {
      return try dispatch(words)
    } catch {
      complain(of: error, about: words)
      return error.code
    }
  }

  /// Writes an error to standard error: as a JSON object where the words ask for JSON, otherwise as a sentence.
  private static func complain(of error: ExitFailure, about words: [String]) {
    if words.prefix(while: { $0 != "--" }).contains("--json") {
      let line: JSON = ["error": .string(error.message), "code": .integer(Int64(error.code))]
      return Console.complain(line.text())
    }
    Console.complain(error.signal == nil ? "zonekit: \(error.message)" : error.message)
    guard error.isUsage else { return }
    let verb = verbs.first { $0.name == words.first }
    Console.complain("zonekit \(verb.map { "\($0.name) " } ?? "")--help shows what it takes")
  }

  private static func dispatch(_ words: [String]) throws(ExitFailure) -> Int32 {
    guard let first = words.first else {
      Console.complain(help)
      return 2
    }
    switch first {
    case "--help", "-h", "help":
      let names = words.dropFirst().filter { $0 != "--json" }
      guard names.count <= 1 else { throw .usage("\(names[1]) is one word too many") }
      show(try names.first.map { (name) throws(ExitFailure) in try verb(named: name).help } ?? help, words)
      return 0
    case "--version":
      Console.print("zonekit \(version)")
      return 0
    default:
      let verb = try verb(named: first)
      let rest = Array(words.dropFirst())
      if rest.prefix(while: { $0 != "--" }).contains(where: { $0 == "--help" || $0 == "-h" }) {
        show(verb.help, words)
        return 0
      }
      return try verb.run(Invocation(rest, options: verb.allOptions))
    }
  }

  /// Shows a help, as a JSON object where the words ask for JSON.
  private static func show(_ help: String, _ words: [String]) {
    guard words.contains("--json") else { return Console.show(help) }
    Console.print(JSON.object([JSON.Member("help", .string(help))]).text())
  }

  private static func verb(named name: String) throws(ExitFailure) -> VerbSpec {
    guard let verb = verbs.first(where: { $0.name == name }) else {
      throw .usage("unknown verb \(name)\(Suggestion.text(for: name, among: verbs.map(\.name)))")
    }
    return verb
  }

  private static var help: String {
    """
    usage: zonekit VERB [operands] [options]

    \(summary).

    \(TextTable(verbs.map { ["  \($0.name)", $0.summary] }).text(within: Console.columns))

    zonekit VERB --help explains a verb, with an example.
    exit codes: 0 done, 1 the check failed, 2 bad usage or input, 3 could not reach or start something. Work that a signal
    ends is ended by that signal.
    """
  }
}
