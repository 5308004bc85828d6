import Records
import Service
import Simulator
import Storage

/// What a person needs who wants to know why a seed failed: the shortest story that breaks the same promise, a picture of
/// it, and the line that repeats it.
struct FailureReport {
  private let swarm: Swarm
  private let failure: SeedReport.Failure
  private let words: Invocation

  init(_ swarm: Swarm, _ failure: SeedReport.Failure, _ words: Invocation) {
    self.swarm = swarm
    self.failure = failure
    self.words = words
  }

  /// Shrinks the story, draws it and prints what there is to know. Throws where the picture cannot be written.
  func print() throws(ExitFailure) {
    do {
      let story = swarm.story(seed: failure.seed)
      Console.complain("seed \(failure.seed) failed; making its story of \(story.deeds.count) deeds short")
      guard let shrunk = try Shrinker.shortest(of: story) else { return }
      Console.print("\nthe shortest story that fails the same way, seed \(failure.seed):")
      for deed in shrunk.story.deeds { Console.print("  \(deed.words(story.cast))") }
      for violation in shrunk.outcome.violations.prefix(1) { Console.print("broken: \(violation)") }
      Console.print("picture: \(try draw(shrunk.outcome.trace))")
    } catch let failure as ExitFailure {
      throw failure
    } catch {
      throw .unavailable("\(error)")
    }
    Console.print("again:   \(repeating)")
  }

  private func draw(_ trace: Trace) throws(ExitFailure) -> String {
    let folder = "\(words.dataDirectory)/diagnostics"
    let path = "\(folder)/seed-\(failure.seed).svg"
    do throws(StoreError) {
      try Folder.make(folder)
      try Folder.write(Array(Timeline(trace, title: "seed \(failure.seed), shrunk").svg.utf8), to: path)
    } catch {
      throw .unavailable("\(path): \(error.message)")
    }
    return path
  }

  private var repeating: String {
    var line = "zonekit simulate --seeds \(failure.seed) --devices \(swarm.devices) --minutes \(swarm.minutes)"
    if let troubles = words.value("--troubles") { line += " --troubles \(troubles)" }
    return line + " --trace"
  }
}
