import ZoneKitThreads
import ZoneKitStorage

@testable import ZoneKitCommandLine

/// One run of the program in this process, with what it printed and its exit code.
struct ProgramRun {
  let code: Int32
  let output: String
  let complaints: String

  /// Runs the program with those words.
  init(_ words: [String]) {
    let record = Record()
    let console = ConsoleOutput(
      isTerminal: false, print: { record.add($0, to: \.output) }, complain: { record.add($0, to: \.complaints) })
    code = Console.$output.withValue(console) { CommandLineProgram.run(words) }
    (output, complaints) = record.texts
  }

  /// The lines of standard output.
  var lines: [String] { output.split(separator: "\n").map(String.init) }

  private final class Record: Sendable {
    struct Bytes {
      var output: [UInt8] = []
      var complaints: [UInt8] = []
    }

    private let bytes = Lock(Bytes())

    func add(_ more: [UInt8], to place: WritableKeyPath<Bytes, [UInt8]> & Sendable) {
      bytes.withLock { $0[keyPath: place] += more }
    }

    var texts: (String, String) {
      bytes.withLock {
        (String(decoding: $0.output, as: UTF8.self), String(decoding: $0.complaints, as: UTF8.self))
      }
    }
  }
}

/// A data directory of its own, which goes with the last reference to it.
final class DataFolder {
  let path: String

  init() throws { path = try Folder.makeTemporary() }

  deinit {
    // What cannot be removed lies in the system's folder for temporary files, which the system empties.
    _ = try? Folder.remove(path)
  }

  /// Runs a verb on this data directory.
  @discardableResult
  func run(_ words: String...) -> ProgramRun { ProgramRun(words + ["--data", path]) }

  /// Runs commands on a device without a network.
  @discardableResult
  func device(_ name: String, app: String? = nil, _ commands: String..., options: [String] = []) -> ProgramRun {
    let app = app.map { ["--app", $0] } ?? []
    return ProgramRun(
      ["device", name, "--offline", "--linger", "0", "--data", path] + app + options + commands.flatMap { ["-c", $0] })
  }

  /// Writes a file and returns its path.
  func file(_ name: String, _ text: String) throws -> String {
    let path = "\(path)/\(name)"
    try Folder.write(Array(text.utf8), to: path)
    return path
  }
}
