import ZoneKitRecords

/// The events of a simulation, as lines. The same seed gives the same bytes on every machine.
package struct Trace: Hashable, Sendable {
  /// The events in order; empty unless the trace keeps its events.
  package private(set) var events: [TraceEvent] = []
  /// The number of events.
  package private(set) var count = 0
  /// The moment from which the content differs that a failed expectation compares; nil if none is known.
  package var divergence: Divergence?
  /// The names of the devices, by number.
  package var deviceNames: [String] = []
  /// Whether events are kept, for a timeline, or only included in the digest.
  package let keepsEvents: Bool
  private var state: UInt64 = 0xcbf2_9ce4_8422_2325

  /// A moment from which records differ until the end of a trace.
  package struct Divergence: Hashable, Sendable {
    /// The moment.
    package var at: MonotonicTime
    /// The names of the records that differ from then on.
    package var records: [String]

    /// Those records, from that moment on.
    package init(at: MonotonicTime, records: [String]) {
      self.at = at
      self.records = records
    }
  }

  /// A trace without events.
  package init(keepsEvents: Bool = false) { self.keepsEvents = keepsEvents }

  /// A hash of every byte of all lines so far: FNV-1a with 64 bits, as 16 hexadecimal digits.
  package var digest: String {
    let text = String(state, radix: 16)
    return String(repeating: "0", count: 16 - text.count) + text
  }

  /// Adds an event.
  package mutating func add(_ event: TraceEvent) {
    count += 1
    for byte in line(event).utf8 { take(byte) }
    take(0x0a)
    if keepsEvents { events.append(event) }
  }

  /// The lines of the events that are kept.
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

  /// The name of a lane.
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
