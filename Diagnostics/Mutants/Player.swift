import ZoneKitScenarios
import Glibc
import ZoneKitDeviceHost
import ZoneKitDietLog
import ZoneKitDocuments
import ZoneKitNannyAndMe
import ZoneKitOwnApps
import ZoneKitRecords
import ZoneKitSimulator
import ZoneKitSwissCoin

// Plays seeds of the swarm, as `zonekit simulate` does, or scenarios, as `zonekit run` does, with one planted bug or none,
// and prints a line for each. `Scripts/mutants` builds it into its copy.
//
// A seed's line: its number, the digest of its trace, the first broken promise, and the words for it.
// Arguments: the number of the bug (0 for none), the first and the last seed, this process' number, how many there are, and
// the app of all stories (none for those that `zonekit simulate` draws).
//
// A scenario's line: its file, the digest of its trace, `held`, `broken` or `impossible`, and what was seen instead.
// Arguments: the number of the bug (0 for none), `scenarios`, and the files.
//
// A story's line, which is the seed's story made short and written as a scenario: the seed, how many steps are left, `same`
// where that scenario breaks the same promise and `other` where not, and what it breaks.
// Arguments: the number of the bug, `story`, and the seed.

/// The swarm whose stories are of that app; nil for those that are drawn.
func swarm(of app: String?) -> Swarm {
  Swarm(apps: app.map { name in apps.filter { $0.name == name } } ?? drawn)
}

/// Plays the seeds of one process.
func playSeeds(_ numbers: [UInt64], _ swarm: Swarm) {
  for seed in numbers[0]...numbers[1] where (seed - numbers[0]) % numbers[3] == numbers[2] {
    do {
      let outcome = try swarm.story(seed: seed).play()
      let broken = outcome.violations.first
      tell([String(seed), outcome.digest, broken?.rule.rawValue ?? "", broken?.description ?? ""])
    } catch {
      tell([String(seed), "", "", "error: \(error)"])
    }
  }
}

/// The apps among which seeds draw.
let drawn: [DeviceApp] = [.nannyAndMe, ItemsApp.app]

/// The apps that scenarios name.
let apps: [DeviceApp] = drawn + [.swissCoin, .dietLog, .records]

/// Makes the story of a seed short, writes it as a scenario and plays that.
func retell(_ seed: UInt64, _ swarm: Swarm) {
  do {
    let story = swarm.story(seed: seed)
    guard let shrunk = try Shrinker.shortest(of: story, playLimit: 300) else {
      return tell([String(seed), "0", "other", "the story breaks nothing"])
    }
    var player = try ScenarioPlayer(Scenario(parsing: shrunk.scenario.text), apps: apps)
    let violation = player.play().violations.first
    let failsTheSameWay = violation?.rule == shrunk.outcome.violations.first?.rule
    tell([
      String(seed), String(shrunk.story.steps.count), failsTheSameWay ? "same" : "other",
      violation?.description ?? "nothing",
    ])
  } catch {
    tell([String(seed), "0", "other", "\(error)"])
  }
}

/// Plays the scenario of a file.
func playScenario(_ file: String) {
  do {
    let scenario = try Scenario(parsing: text(of: file))
    var player = try ScenarioPlayer(scenario, apps: apps + described(by: scenario, in: file))
    let outcome = player.play()
    switch outcome.end {
    case .held: tell([file, outcome.digest, "held", ""])
    case .broken(let failure): tell([file, outcome.digest, "broken", failure.description])
    case .impossible(let error): tell([file, outcome.digest, "impossible", "\(error)"])
    }
  } catch {
    tell([file, "", "impossible", "\(error)"])
  }
}

/// The app with the documents that the file of a scenario describes; none if it names no file.
func described(by scenario: Scenario, in file: String) throws -> [DeviceApp] {
  guard let path = scenario.appFile?.path else { return [] }
  let folder = file.lastIndex(of: "/").map { file[...$0] } ?? ""
  let text = Array(text(of: folder + path).utf8)
  let documents = try DocumentSchemaReader.app(text, file: path)
  return [.documents(of: documents, from: DescribingFile(path: path, text: text, title: documents.name))]
}

/// What a file holds; empty where it cannot be read.
func text(of file: String) -> String {
  guard let stream = fopen(file, "r") else { return "" }
  defer { fclose(stream) }
  var bytes: [UInt8] = []
  while case let byte = getc(stream), byte != EOF { bytes.append(UInt8(byte)) }
  return String(decoding: bytes, as: UTF8.self)
}

/// Prints a line of cells.
func tell(_ cells: [String]) {
  print(
    cells.map { $0.split(whereSeparator: { $0 == "\n" || $0 == "\t" }).joined(separator: " ") }.joined(separator: "\t"))
  fflush(nil)
}

let words = Array(CommandLine.arguments.dropFirst(2))
let numbers = words.compactMap { UInt64($0) }
if words.first == "scenarios" {
  for file in words.dropFirst() { playScenario(file) }
} else if words.first == "story", let seed = numbers.first {
  retell(seed, swarm(of: words.dropFirst(2).first))
} else if numbers.count == 4, numbers[0] <= numbers[1], numbers[2] < numbers[3] {
  playSeeds(numbers, swarm(of: words.dropFirst(4).first))
} else {
  print("usage: Player BUG FIRST LAST PART PARTS [APP], Player BUG scenarios FILE ..., or Player BUG story SEED [APP]")
  exit(2)
}
