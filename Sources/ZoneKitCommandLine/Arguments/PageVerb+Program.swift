import ZoneKitService
import ZoneKitThreads

extension PageVerb {
  /// Carries out lines of this program as if they were typed beside the server of a data directory.
  static func program(in data: DataDirectory) -> PageVerb {
    PageVerb { line in
      let said = Lock<[UInt8]>([])
      let output = ConsoleOutput(
        isTerminal: false, print: { bytes in said.withLock { $0 += bytes } },
        complain: { bytes in said.withLock { $0 += bytes } })
      let code = Console.$output.withValue(output) { CommandLineProgram.run(line + ["--data", data.root]) }
      let text = String(decoding: said.withLock { $0 }, as: UTF8.self)
      return Outcome(code: code, said: text.split(separator: "\n").joined(separator: "\n"))
    }
  }
}
