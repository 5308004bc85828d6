import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSimulator

extension Coverage {
  /// The counts as JSON, an object for each visit in ascending order.
  var json: JSON {
    .array(
      counts.sorted { $0.key < $1.key }.map { visit, count in
        [
          "app": .string(visit.app), "command": .string(visit.form), "state": .string(visit.state),
          "changed": .integer(Int64(count.changed)), "unchanged": .integer(Int64(count.unchanged)),
          "refused": .integer(Int64(count.refused)),
        ]
      })
  }

  /// The counts in JSON; nil if it has none.
  init?(_ json: JSON) {
    guard case .array(let visits) = json else { return nil }
    self.init()
    for visit in visits {
      guard let app = visit["app"]?.string, let form = visit["command"]?.string, let state = visit["state"]?.string
      else { return nil }
      var count = Count()
      count.changed = Int(visit["changed"]?.integer ?? 0)
      count.unchanged = Int(visit["unchanged"]?.integer ?? 0)
      count.refused = Int(visit["refused"]?.integer ?? 0)
      counts[Visit(app: app, form: form, state: state)] = count
    }
  }

  /// A table with a row for each form of command: how the app answered, and how often it was given in each state.
  private var table: TextTable {
    let header = ["app", "command", "changed", "unchanged", "refused"] + Self.states
    var rows: [[String]: [Visit: Count]] = [:]
    for (visit, count) in counts { rows[[visit.app, visit.form], default: [:]][visit] = count }
    return TextTable(
      header: header,
      rows: rows.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { key, visits in
        let sum = visits.values.reduce(Count(), +)
        let totals = [sum.changed, sum.unchanged, sum.refused].map { "\($0)" }
        return key + totals
          + Self.states.map { "\(visits[Visit(app: key[0], form: key[1], state: $0)]?.total ?? 0)" }
      })
  }

  /// The table, and the number of pairs of a command and a state that no story had.
  var lines: [String] {
    let pairs = Set(counts.keys.map { [$0.app, $0.form] }).count * Self.states.count
    return table.lines + ["\(counts.count) of \(pairs.counted("pair")) of a command and a state"]
  }
}
