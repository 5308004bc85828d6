import ZoneKitRecords
import ZoneKitSync

/// A set of kinds of events that checkers read.
package struct LogEventKinds: OptionSet, Sendable {
  /// One bit for each kind: those of events from 0, those of facts from 64.
  package let rawValue: UInt128

  /// The kinds with those bits.
  package init(rawValue: UInt128) { self.rawValue = rawValue }

  /// Those kinds of events, and of facts of the coordinator.
  package init(events: [LogEvent.Kind] = [], facts: [Fact.Kind] = []) {
    rawValue =
      events.reduce(0) { $0 | 1 << UInt128($1.rawValue) } | facts.reduce(0) { $0 | (Self.bits[$1]?.rawValue ?? 0) }
  }

  /// The kind of an event.
  package init(of event: LogEvent) {
    guard case .fact(let fact) = event else {
      self.init(rawValue: 1 << UInt128(event.kind.rawValue))
      return
    }
    self = Self.bits[fact.kind] ?? []
  }

  /// The bit of each kind of fact of a device.
  private static let bits = Dictionary(
    uniqueKeysWithValues: zip(
      Fact.Kind.all(of: .device), (64..<128).map { LogEventKinds(rawValue: 1 << UInt128($0)) }))
}

extension LogEvent {
  /// The kinds of events. `LogEvent` describes each.
  package enum Kind: UInt8, Sendable {
    case fact, processStarting, processStarted, suspended, settled, request, sent, answer, recordsShown, everythingShown
    case asked, answered, socketOpened, frame, channelShown
    case syncWanted, pushHanded, storeFailed, diskReplaced, resetting, clockSet, accountSet, rowsPurged
    case wrote, edited, repaired, photoGiven, photoSettled
  }

  /// The kind of the event.
  var kind: Kind {
    switch self {
    case .fact: .fact
    case .processStarting: .processStarting
    case .processStarted: .processStarted
    case .suspended: .suspended
    case .settled: .settled
    case .request: .request
    case .sent: .sent
    case .answer: .answer
    case .recordsShown: .recordsShown
    case .everythingShown: .everythingShown
    case .asked: .asked
    case .answered: .answered
    case .socketOpened: .socketOpened
    case .frame: .frame
    case .channelShown: .channelShown
    case .syncWanted: .syncWanted
    case .pushHanded: .pushHanded
    case .storeFailed: .storeFailed
    case .diskReplaced: .diskReplaced
    case .resetting: .resetting
    case .clockSet: .clockSet
    case .accountSet: .accountSet
    case .rowsPurged: .rowsPurged
    case .wrote: .wrote
    case .edited: .edited
    case .repaired: .repaired
    case .photoGiven: .photoGiven
    case .photoSettled: .photoSettled
    }
  }
}
