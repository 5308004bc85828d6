import ZoneKitRecords
import ZoneKitScenarios

/// A fault that a step added, to determine whether it ever hits.
struct PlantedFault {
  /// How a hit is recognised.
  enum Kind {
    /// A fault in the cloud's plan, by its ID.
    case cloud(Int)
    /// A fault of a device's pushes, and the number of hits before it was added.
    case push(device: Int, before: Int)
    /// A crash, and the number of crashes of the process before it was set.
    case crash(Place, before: Int)
  }

  var line: Int
  var text: String
  var kind: Kind
  var hasStruck = false
}

extension ScenarioPlayer {
  /// Remembers the faults that a step added.
  mutating func plant(_ line: ScenarioLine, after lastID: Int) {
    for id in lastID..<world.cloud.process.faults.lastID { add(line, .cloud(id + 1)) }
    switch line.step {
    case .push(.fault(let fault)):
      guard let device = world.device(named: fault.receiver) else { return }
      add(line, .push(device: device, before: world.pushFaults[device].strikes))
    case .life(.killAt(let place, _, _)): add(line, .crash(place, before: crashes(of: place)))
    default: return
    }
  }

  private mutating func add(_ line: ScenarioLine, _ kind: PlantedFault.Kind) {
    planted.append(PlantedFault(line: line.number, text: line.step.text, kind: kind))
  }

  /// Determines which faults have hit, before a step may remove them from the plan.
  mutating func lookAtFaults() {
    for index in planted.indices where !planted[index].hasStruck {
      planted[index].hasStruck =
        switch planted[index].kind {
        case .cloud(let id): world.cloud.process.faults.entries.contains { $0.id == id && $0.hits > 0 }
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
