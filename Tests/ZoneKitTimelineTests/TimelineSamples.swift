import ZoneKitRecords

@testable import ZoneKitTimeline

/// Worlds written by hand, as a kernel would have traced them.
enum TimelineSamples {
  static func at(_ milliseconds: Int64) -> MonotonicTime { MonotonicTime(milliseconds: milliseconds) }

  static func mark(_ at: Int64, _ lane: TraceEvent.Lane, _ kind: Mark.Kind, _ text: String) -> TraceEvent {
    TraceEvent(at: Self.at(at), .mark(Mark(lane, kind, text)))
  }

  static func arrow(
    _ at: Int64, _ kind: Arrow.Kind, _ from: TraceEvent.Lane, _ to: TraceEvent.Lane, _ text: String, arrives: Int64
  ) -> TraceEvent {
    TraceEvent(at: Self.at(at), .arrow(Arrow(kind, from: from, to: to, text, .arrives(Self.at(arrives)))))
  }

  static func arrow(
    _ at: Int64, _ kind: Arrow.Kind, _ from: TraceEvent.Lane, _ to: TraceEvent.Lane, _ text: String, dies: Int64,
    _ reason: String
  ) -> TraceEvent {
    TraceEvent(at: Self.at(at), .arrow(Arrow(kind, from: from, to: to, text, .dies(Self.at(dies), reason))))
  }

  static func trace(_ events: [TraceEvent], devices: [String]) -> Trace {
    var trace = Trace(keepsEvents: true)
    trace.deviceNames = devices
    for event in events { trace.add(event) }
    return trace
  }

  /// A push that never arrives, and the catch-up when the app is opened.
  static let droppedPush = trace(
    [
      mark(0, .device(0), .step, "Both phones are in the zone"),
      mark(0, .device(0), .start, "app launched"),
      mark(0, .device(1), .start, "app launched"),
      arrow(10, .hello, .device(0), .gateway, "hello", arrives: 30),
      arrow(12, .hello, .device(1), .gateway, "hello", arrives: 35),
      mark(2000, .device(1), .step, "Dad puts his phone into the pocket"),
      mark(2000, .device(1), .life, "background"),
      mark(60_000, .device(0), .step, "Mum logs a feeding; the push to Dad's phone is lost"),
      mark(60_000, .device(0), .edit, "feeding 7B1F: left, running"),
      arrow(60_050, .request, .device(0), .cloud, "records/modify: save 1", arrives: 60_130),
      mark(60_130, .cloud, .commit, "zone family: 1 record, token 5"),
      arrow(60_130, .answer, .cloud, .device(0), "saved 1, change tag 5", arrives: 60_210),
      arrow(60_140, .notice, .cloud, .gateway, "zone family changed", arrives: 60_150),
      arrow(
        60_160, .push, .gateway, .device(1), "subscription family", dies: 60_200,
        "lost: push budget of the hour spent"),
      mark(800_000, .device(1), .step, "Dad takes his phone up"),
      mark(800_000, .device(1), .life, "foreground"),
      arrow(800_005, .request, .device(1), .cloud, "changes/zone since token 4", arrives: 800_090),
      arrow(800_090, .answer, .cloud, .device(1), "1 record, token 5, no more coming", arrives: 800_180),
      mark(800_180, .device(1), .merge, "took in feeding 7B1F"),
      mark(801_000, .device(0), .kept, "all devices equal the cloud"),
    ], devices: ["mum's iPhone", "dad's iPhone"])

  /// Two edits of one record, and what is decided.
  static let conflict = trace(
    [
      mark(0, .device(0), .step, "Both edit the same sleep while dad is in a tunnel"),
      mark(0, .device(1), .link, "offline"),
      mark(100, .device(0), .edit, "sleep 22: ended 08:40"),
      mark(150, .device(1), .edit, "sleep 22: ended 08:55, note \"woke up crying\""),
      arrow(200, .request, .device(0), .cloud, "records/modify: sleep 22 at tag 3", arrives: 240),
      arrow(210, .request, .device(1), .cloud, "records/modify: sleep 22 at tag 3", dies: 230, "offline"),
      mark(240, .cloud, .commit, "sleep 22 is tag 4"),
      arrow(240, .answer, .cloud, .device(0), "saved, tag 4", arrives: 290),
      arrow(241, .notice, .cloud, .gateway, "zone family changed", arrives: 245),
      arrow(246, .push, .gateway, .device(1), "family", dies: 260, "offline"),
      mark(5000, .device(1), .link, "online"),
      arrow(5010, .request, .device(1), .cloud, "records/modify: sleep 22 at tag 3", arrives: 5050),
      arrow(5050, .answer, .cloud, .device(1), "serverRecordChanged: tag 4", arrives: 5090),
      mark(5090, .device(1), .conflict, "sleep 22: theirs 08:40, mine 08:55 -> the later end, the note kept"),
      arrow(5100, .request, .device(1), .cloud, "records/modify: sleep 22 at tag 4", arrives: 5140),
      mark(5140, .cloud, .commit, "sleep 22 is tag 5"),
      arrow(5140, .answer, .cloud, .device(1), "saved, tag 5", arrives: 5180),
      mark(6000, .device(0), .fact, "pull timer"),
      mark(6100, .device(0), .fact, "pull timer"),
      mark(6200, .device(0), .fact, "pull timer"),
      mark(
        7000, .device(0), .broken,
        "mum's iPhone has sleep 22 at tag 4 (ended 08:40), the cloud has tag 5 (ended 08:55), and nothing is on its way"
      ),
    ], devices: ["mum's iPhone", "dad's iPhone"])

  /// A process dies between the merge and its write to the disk.
  static let crash = trace(
    [
      mark(0, .device(1), .step, "Dad's phone crashes in the middle of a merge"),
      arrow(20, .request, .device(1), .cloud, "changes/zone since token 8", arrives: 60),
      arrow(60, .answer, .cloud, .device(1), "3 records, token 11", arrives: 110),
      mark(110, .device(1), .merge, "sleep 22, feeding 9, diaper 4"),
      mark(111, .device(1), .crash, "after merge, before commit (effect 3 of 7)"),
      mark(111, .device(1), .fault, "2 unsynced writes lost"),
      arrow(500, .push, .gateway, .device(1), "family", dies: 540, "no process"),
      mark(4000, .device(1), .step, "The phone starts again with what its disk holds"),
      mark(4000, .device(1), .start, "token 8 on the disk"),
      mark(4001, .device(1), .clock, "wall clock 3 min behind"),
      arrow(4020, .request, .device(1), .cloud, "changes/zone since token 8", arrives: 4060),
      mark(4060, .cloud, .fault, "503, retry after 2 s"),
      arrow(4060, .answer, .cloud, .device(1), "serviceUnavailable", arrives: 4110),
      mark(4110, .device(1), .sync, "waits 2 s"),
      mark(4500, .device(0), .account, "signed out"),
      arrow(6110, .request, .device(1), .cloud, "changes/zone since token 8", arrives: 6150),
      arrow(6150, .answer, .cloud, .device(1), "3 records, token 11", arrives: 6200),
      mark(6200, .device(1), .merge, "sleep 22, feeding 9, diaper 4"),
      mark(7000, .device(1), .kept, "no acknowledged write is lost"),
    ], devices: ["mum's iPhone", "dad's iPhone"])

  /// Three devices and about that many events, by a seed.
  static func swarm(seed: UInt64, events count: Int, steps: Int = .max) -> Trace {
    var stepCount = 0
    var random = SplitMix64(seed: seed)
    var events: [TraceEvent] = []
    var now: Int64 = 0
    for number in 0..<count {
      now +=
        Int64.random(in: 0..<10, using: &random) == 0
        ? .random(in: 1...900_000, using: &random) : .random(in: 0...90, using: &random)
      let device = TraceEvent.Lane.device(.random(in: 0..<3, using: &random))
      let delay = now + .random(in: 0...200, using: &random)
      let isLost = Int.random(in: 0..<6, using: &random) == 0
      switch Int.random(in: 0..<9, using: &random) {
      case 0, 1:
        events.append(
          isLost
            ? arrow(now, .request, device, .cloud, "records/modify: save \(number)", dies: delay, "lost")
            : arrow(now, .request, device, .cloud, "records/modify: save \(number)", arrives: delay))
      case 2, 3: events.append(arrow(now, .answer, .cloud, device, "saved, token \(number)", arrives: delay))
      case 4: events.append(arrow(now, .notice, .cloud, .gateway, "zone family changed", arrives: now + 3))
      case 5:
        events.append(
          isLost
            ? arrow(now, .push, .gateway, device, "family", dies: delay, "force-quit")
            : arrow(now, .push, .gateway, device, "family", arrives: delay))
      case 6: events.append(mark(now, device, .fact, "heartbeat"))
      default:
        let kinds = Mark.Kind.allCases.filter {
          $0 != .broken && ($0 != .step || number % 5 == 0 && stepCount < steps)
        }
        let kind = kinds[Int.random(in: 0..<kinds.count, using: &random)]
        if kind == .step { stepCount += 1 }
        events.append(mark(now, device, kind, "what happened as number \(number)"))
      }
    }
    events.append(mark(now + 10, .device(2), .broken, "dad's iPad lost the acknowledged write of feeding 9"))
    return trace(events, devices: ["mum's iPhone", "dad's iPhone", "dad's iPad"])
  }
}
