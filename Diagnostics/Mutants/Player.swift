import Glibc
import Records
import Simulator

// Plays seeds of the swarm, as `zonekit simulate` does, with one planted bug or none, and prints a line for each seed:
// its number, the digest of its trace, and the first broken promise. `Scripts/mutants` builds it into its copy.
//
// Arguments: the number of the bug (0 for none), the first and the last seed, this process' number and how many there are.

let numbers = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
guard numbers.count == 5, numbers[1] <= numbers[2], numbers[3] < numbers[4] else {
  print("usage: Player BUG FIRST LAST PART PARTS")
  exit(2)
}
let swarm = Swarm(apps: [NannySimulation.app, ItemsApp.app])
for seed in numbers[1]...numbers[2] where (seed - numbers[1]) % numbers[4] == numbers[3] {
  do {
    let outcome = try swarm.story(seed: seed).play()
    let broken = outcome.violations.first
    let text = broken.map { "\($0)" }?.split(separator: "\n").joined(separator: " ") ?? ""
    print("\(seed)\t\(outcome.digest)\t\(broken?.rule.rawValue ?? "")\t\(text)")
  } catch {
    print("\(seed)\t\t\terror: \(error)")
  }
  fflush(nil)
}
