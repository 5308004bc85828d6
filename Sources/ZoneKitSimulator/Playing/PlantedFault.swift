import ZoneKitRecords
import ZoneKitScenarios

/// A fault that a step asked for, and whether it ever struck.
struct PlantedFault {
  /// By what it is seen that it struck.
  enum Kind {
    /// A fault of the cloud's plan, by its number there.
    case cloud(Int)
    /// A fault of a device's pushes; they struck so many times before.
    case push(device: Int, before: Int)
    /// A crash; the process had so many before.
    case crash(Place, before: Int)
  }

  var line: Int
  var text: String
  var kind: Kind
  var hasStruck = false
}

extension ScenarioPlayer {
  /// Remembers the faults that a step asked for.
  mutating func plant(_ line: ScenarioLine, after lastID: Int) {
    for id in lastID..<world.cloud.faults.lastID { add(line, .cloud(id + 1)) }
    switch line.step {
    case .push(.fault(_, _, let name)):
      guard let device = world.device(named: name) else { return }
      add(line, .push(device: device, before: world.pushFaults[device].strikes))
    case .life(.killAt(let place, _, _)): add(line, .crash(place, before: crashes(of: place)))
    default: return
    }
  }

  private mutating func add(_ line: ScenarioLine, _ kind: PlantedFault.Kind) {
    planted.append(PlantedFault(line: line.number, text: line.step.text, kind: kind))
  }

  /// Looks which faults have struck, before a step may take them out of the plan.
  mutating func lookAtFaults() {
    for index in planted.indices where !planted[index].hasStruck {
      planted[index].hasStruck =
        switch planted[index].kind {
        case .cloud(let id): world.cloud.faults.entries.contains { $0.id == id && $0.hits > 0 }
        case .push(let device, let before): world.pushFaults[device].strikes > before
        case .crash(let place, let before): crashes(of: place) > before
        }
    }
  }

  private func crashes(of place: Place) -> Int {
    switch place {
    case .cloud: world.cloud.crashes
    case .device(let name): world.device(named: name).map { world.devices[$0].counters.crashes } ?? 0
    }
  }
}
