/// `zonekit manual`: the manual page.
enum ManualVerb {
  static let spec = VerbSpec(
    "manual", summary: "print the manual page zonekit.1 in mdoc",
    examples: ["zonekit manual | man -l -", "zonekit manual > zonekit.1"], run: run)

  private static func run(_ words: Invocation) throws(ExitFailure) -> Int32 {
    _ = try words.operands()
    let page = ManualPage(
      of: CommandLineProgram.verbs, date: CommandLineProgram.date, summary: CommandLineProgram.summary)
    Console.print(page.text)
    return 0
  }
}
