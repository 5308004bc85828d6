import ZoneKitEventLoop
import ZoneKitRecords
import ZoneKitService
import ZoneKitStorage

/// `zonekit diagnostics`: the state of devices and cloud, running or stopped.
enum DiagnosticsVerb {
  static let spec = VerbSpec(
    "diagnostics", summary: "show the last pushes, fetches, sends and conflicts of devices and cloud",
    details: """
      Reads only, and works while processes run: running ones are asked, of stopped ones the files are read. Exit code 1: a
      part could not be read; the dump has an error in its place.
      """,
    options: [
      OptionSpec("--device", "NAME", help: "only this device, and the cloud", kind: .name(.devices)),
      OptionSpec("--watch", help: "repeat every second until interrupted"),
      OptionSpec("--out", "FILE", help: "write JSON to a file and print its path"),
    ],
    examples: ["zonekit diagnostics", "zonekit diagnostics --device A --watch", "zonekit diagnostics --out dump.json"],
    run: run)

  /// The time between two dumps of `--watch`, in milliseconds.
  private static let pause: Int64 = 1_000

  private static func run(_ words: Invocation) throws(ExitFailure) -> Int32 {
    _ = try words.operands()
    guard words.has("--watch") else { return try show(words) }
    guard !words.has("--out") else { throw .usage("--watch shows dumps on standard output; leave --out away") }
    return try watch(words)
  }

  /// Makes a dump, prints or writes it, and returns the exit code.
  private static func show(_ words: Invocation) throws(ExitFailure) -> Int32 {
    let data = try words.existingData()
    let dump = try ExitFailure.from { () throws(StoresError) in
      try DiagnosticsDump(
        of: data, device: words.value("--device"), apps: AppTable.apps(in: data),
        version: CommandLineProgram.version, at: SystemClock.wall)
    }
    if let file = words.value("--out") {
      try write(dump, to: file)
      Console.print(words.wantsJSON ? JSON.object([JSON.Member("path", .string(file))]).text() : file)
    } else {
      words.wantsJSON ? Console.print(dump.document.text()) : Console.show(DumpText(dump.document).text)
    }
    return dump.hasErrors ? 1 : 0
  }

  private static func write(_ dump: DiagnosticsDump, to file: String) throws(ExitFailure) {
    do {
      try Folder.write(dump.document.bytes(.pretty) + [UInt8(ascii: "\n")], to: file)
    } catch {
      throw .unavailable("\(error)")
    }
  }

  /// Prints dumps until a signal, or until one fails. Returns the exit code of the last one.
  private static func watch(_ words: Invocation) throws(ExitFailure) -> Int32 {
    let loop: Loop
    do {
      loop = try Loop()
      for signal in SignalWatcher.Signal.allCases { _ = try SignalWatcher(signal, on: loop) { _ in loop.stop() } }
    } catch {
      throw .unavailable("\(error)")
    }
    defer { loop.closeAll() }
    var outcome: Result<Int32, ExitFailure> = .success(0)
    var timer: Timer?
    let next = Timer(on: loop) {
      if !words.wantsJSON { Console.startPage() }
      do throws(ExitFailure) {
        outcome = .success(try show(words))
        timer?.schedule(after: pause)
      } catch {
        outcome = .failure(error)
        loop.stop()
      }
    }
    timer = next
    next.schedule(after: 0)
    loop.run()
    timer = nil
    return try outcome.get()
  }
}
