import Testing

@testable import ZoneKitCommandLine

/// What holds for all verbs: help, unknown words, exit codes.
struct ProgramTests {
  @Test func `without words the program prints its verbs as an error`() {
    let run = ProgramRun([])
    #expect(run.code == 2)
    #expect(run.output.isEmpty)
    for verb in CommandLineProgram.verbs { #expect(run.complaints.contains("\n  \(verb.name) ")) }
  }

  @Test(arguments: ["--help", "-h", "help"])
  func `help lists all verbs and the exit codes`(word: String) {
    let run = ProgramRun([word])
    #expect(run.code == 0)
    #expect(run.complaints.isEmpty)
    for verb in CommandLineProgram.verbs { #expect(run.output.contains(verb.summary)) }
    #expect(run.output.contains("exit codes: 0 done, 1 the check failed, 2 bad usage or input, 3"))
  }

  @Test(arguments: CommandLineProgram.verbs.map(\.name))
  func `the help of a verb names its options and has an example`(name: String) throws {
    let verb = try #require(CommandLineProgram.verbs.first { $0.name == name })
    for words in [[name, "--help"], ["help", name], [name, "--no-such-option", "-h"]] {
      let run = ProgramRun(words)
      #expect(run.code == 0)
      #expect(run.output.hasPrefix("usage: zonekit \(name)"))
      for option in verb.allOptions { #expect(run.output.contains(option.name)) }
      #expect(!verb.examples.isEmpty)
      for example in verb.examples { #expect(run.output.contains(example)) }
    }
  }

  @Test(arguments: CommandLineProgram.verbs.map(\.name))
  func `an option that a verb does not have is refused with its help's name`(name: String) {
    let run = ProgramRun([name, "--no-such-option"])
    #expect(run.code == 2)
    #expect(run.output.isEmpty)
    #expect(
      run.complaints == "zonekit: unknown option --no-such-option\nzonekit \(name) --help shows what it takes\n")
  }

  @Test func `an unknown verb is refused with a near one`() {
    let run = ProgramRun(["servo"])
    #expect(run.code == 2)
    #expect(run.complaints.hasPrefix("zonekit: unknown verb servo; did you mean serve?\n"))
  }

  @Test func `the version goes to standard output`() {
    let run = ProgramRun(["--version"])
    #expect(run.code == 0)
    #expect(run.output == "zonekit \(CommandLineProgram.version)\n")
  }

  @Test(arguments: [
    (["device"], "NAME is missing"), (["erase"], "DEVICE is missing"), (["push", "A"], "PAYLOAD.json is missing"),
    (["diff", "A"], "B is missing"), (["import"], "FILE is missing"),
    (["import", "f"], "--device is missing: into which device?"), (["export"], "--device is missing: whose profile?"),
    (["reset"], "local, tokens, zone, cloud, all is missing"), (["snapshot"], "save, restore or list is missing"),
    (["run"], "SCENARIO is missing"), (["demo", "swiss-coin", "now"], "now is one word too many"),
    (["serve", "now"], "now is one word too many"), (["diagnostics", "A"], "A is one word too many"),
    (["reset", "locals", "A"], "reset takes local, tokens, zone, cloud, all, not locals; did you mean local?"),
    (["snapshot", "sav"], "snapshot takes save, restore or list, not sav; did you mean save?"),
  ])
  func `missing and surplus words are named`(words: [String], message: String) {
    let run = ProgramRun(words)
    #expect(run.code == 2)
    #expect(run.complaints.hasPrefix("zonekit: \(message)\n"))
  }

  @Test(arguments: [
    (["serve", "--auth", "maybe"], "--auth takes open or strict, not maybe"),
    (["serve", "--http", "0.0.0.0:0"], "--auth open is refused on 0.0.0.0:0, which is not loopback"),
    (["serve", "--dependents", "x"], "--dependents takes a number from 0 to 1000000, not x"),
    (["device", "A", "--linger", "-1"], "--linger takes a number from 0 to 86400, not -1"),
    (["device", "A", "--tune", "quite=3"], "--tune takes NAME=NUMBER with one of quiet, "),
    (["device", "A", "--tune", "atomic=2"], "--tune atomic takes 0 or 1, not 2"),
    (["device", "A", "--tune", "quiet"], "--tune quiet takes a whole number from 1, not nothing"),
    (["device", ""], "NAME must be a name of 1 to 240 bytes, not one of 0"),
    (["device", "A", "--app", "Nanny"], "there is no app Nanny; there are NannyAndMe, Items"),
    (["simulate", "--app", "Item"], "there is no app Item; did you mean Items?; there are NannyAndMe, Items"),
    (["simulate", "--seeds", "9..1"], "--seeds takes A..B with A not above B, or a single number, not 9..1"),
    (["simulate", "--trace"], "--trace is for a single seed, as in --seeds 1"),
    (["simulate", "--troubles", "rain"], "there is no trouble rain; there are "),
    (["diff", "A", "B", "--environment", "test"], "--environment takes development or production, not test"),
    (["diagnostics", "--watch", "--out", "f"], "--watch shows dumps on standard output; leave --out away"),
    (["reset", "zone", "Z", "--keep-pending"], "--keep-pending goes with reset local, not zone"),
    (["reset", "local", "A", "--user", "u"], "--user goes with reset zone and reset cloud, not local"),
    (["export", "--device", "A", "--all"], "--all writes a file for each profile; name a folder for them with --out"),
    (["export", "--device", "A", "--all", "--profile", "P"], "--all and --profile exclude each other"),
  ])
  func `a value that an option does not take is refused with what would be right`(words: [String], message: String) {
    let run = ProgramRun(words)
    #expect(run.code == 2)
    #expect(run.output.isEmpty)
    #expect(run.complaints.hasPrefix("zonekit: \(message)"))
  }
}
