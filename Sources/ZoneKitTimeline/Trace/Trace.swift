import ZoneKitRecords

/// All that happened in a world, as lines whose bytes are the same for the same seed on every machine.
package struct Trace: Hashable, Sendable {
  /// What happened, in order; empty unless the trace keeps its events.
  package private(set) var events: [TraceEvent] = []
  /// How many events there were.
  package private(set) var count = 0
  /// The names of the devices, by number.
  package var deviceNames: [String] = []
  /// Whether events are kept, for a timeline, or only counted into the digest.
  package let keepsEvents: Bool
  private var state: UInt64 = 0xcbf2_9ce4_8422_2325

  /// A trace of nothing yet.
  package init(keepsEvents: Bool = false) { self.keepsEvents = keepsEvents }

  /// 16 hexadecimal digits that stand for every byte of every line so far: FNV-1a with 64 bits.
  package var digest: String {
    let text = String(state, radix: 16)
    return String(repeating: "0", count: 16 - text.count) + text
  }

  /// Takes in what happened.
  package mutating func add(_ event: TraceEvent) {
    count += 1
    for byte in line(event).utf8 { take(byte) }
    take(0x0a)
    if keepsEvents { events.append(event) }
  }

  /// The trace's lines, one for each event kept.
  package var lines: [String] { events.map(line) }

  /// The line of one event.
  package func line(_ event: TraceEvent) -> String {
    let time = String(event.at.milliseconds)
    switch event.content {
    case .mark(let mark):
      return "\(time) \(name(of: mark.lane)) \(mark.kind.rawValue): \(mark.text)"
    case .arrow(let arrow):
      let way = "\(time) \(name(of: arrow.from)) -> \(name(of: arrow.to)) \(arrow.kind.rawValue): \(arrow.text)"
      return switch arrow.fate {
      case .arrives(let at): "\(way) @\(at.milliseconds)"
      case .dies(let at, let reason): "\(way) x\(at.milliseconds) \(reason)"
      }
    }
  }

  /// What a place is called.
  package func name(of lane: TraceEvent.Lane) -> String {
    switch lane {
    case .device(let number): deviceNames.indices.contains(number) ? deviceNames[number] : "device \(number)"
    case .gateway: "gateway"
    case .cloud: "cloud"
    }
  }

  private mutating func take(_ byte: UInt8) {
    state = (state ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
  }
}
