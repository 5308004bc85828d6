import ZoneKitRecords

/// The numbers that are skipped when a new run of the server makes its first change.
///
/// An older copy of the cloud's files that is used again goes on with a new run, as every start of the server does. What
/// the original gave out after the copy was made lies in the gap, or ahead of the newest number. So a client that holds such a
/// number is known to have seen changes that are not there, and no number stands for two versions. What was given out
/// before the gap stays valid.
package struct NumberGap: Hashable, Sendable {
  /// The last number before the gap.
  package var start: Int64
  /// The number from which the run goes on. A run that changed no record has it as its newest, and gives it out.
  package var end: Int64

  /// A gap between two numbers.
  package init(start: Int64, end: Int64) {
    self.start = start
    self.end = end
  }

  /// The gap after a number when a run begins. Two runs that begin at the same number go on from different ones.
  init(after number: Int64, in run: UInt64) {
    var hash = (run ^ UInt64(bitPattern: number)) &* 0xFF51_AFD7_ED55_8CCD
    hash ^= hash >> 32
    hash = hash &* 0xC4CE_B9FE_1A85_EC53
    hash ^= hash >> 29
    self.init(start: number, end: number + Self.leap + Int64(hash & UInt64(Self.leap - 1)))
  }

  /// Whether the number was skipped.
  func contains(_ number: Int64) -> Bool { start < number && number < end }

  /// The fewest numbers that are skipped, a power of two. At most twice as many are.
  private static let leap: Int64 = 1 << 23
  /// The most gaps that are kept. The two oldest become one then, with what lies between them.
  package static let limit = 200
}

/// The gap of a zone when a run of the server made its first change of a record there.
package struct RunGap: Hashable, Sendable {
  /// The skipped sequences.
  package var numbers: NumberGap
  /// The time of the zone's last change before the run.
  package var time: WallTime
  /// The time of the zone's first change in the run.
  package var endTime: WallTime

  /// A gap of these sequences, between changes at these times.
  package init(_ numbers: NumberGap, from time: WallTime, to endTime: WallTime) {
    self.numbers = numbers
    self.time = time
    self.endTime = endTime
  }

  /// Whether the time lies between those of the changes.
  func contains(_ time: WallTime) -> Bool { self.time < time && time < endTime }
}

extension ZoneHeader {
  /// Skips sequences when a run of the server makes its first change, at `time`. `before` is the time of the last change.
  mutating func begin(_ run: UInt64, after before: WallTime, at time: WallTime) {
    guard self.run != run else { return }
    self.run = run
    guard sequence > 0 else { return }
    let numbers = NumberGap(after: sequence, in: run)
    gaps.append(RunGap(numbers, from: before, to: time))
    if gaps.count > NumberGap.limit {
      gaps[1].numbers.start = gaps[0].numbers.start
      gaps[1].time = gaps[0].time
      gaps.removeFirst()
    }
    sequence = numbers.end
  }

  /// Whether a change with that sequence was made in this history of the zone. Otherwise it was made after the copy of
  /// the zone that is used now.
  package func covers(_ sequence: Int64) -> Bool {
    sequence <= self.sequence && !gaps.contains { $0.numbers.contains(sequence) }
  }

  /// The gap in which that time lies; nil if there is none. No change of this history has such a time.
  package func gap(at time: WallTime) -> RunGap? { gaps.first { $0.contains(time) } }
}

extension DatabaseState {
  /// Adds what the header of one of its zones says of the database.
  package mutating func add(_ header: ZoneHeader) {
    if header.databaseSequence > sequence {
      sequence = header.databaseSequence
      run = header.run
    }
    for gap in header.databaseGaps where !gaps.contains(gap) { gaps.append(gap) }
  }

  /// The next sequence, for a change that leaves a zone with that header. A run of the server skips sequences at its first
  /// change.
  mutating func takeSequence(for header: inout ZoneHeader, in run: UInt64) {
    if self.run != run, sequence > 0 {
      let gap = NumberGap(after: sequence, in: run)
      header.databaseGaps.append(gap)
      if header.databaseGaps.count > NumberGap.limit {
        header.databaseGaps[1].start = header.databaseGaps[0].start
        header.databaseGaps.removeFirst()
      }
      gaps.append(gap)
      sequence = gap.end
    }
    self.run = run
    sequence += 1
    header.databaseSequence = sequence
  }

  /// Whether a change with that sequence was made in this history of the database.
  func covers(_ sequence: Int64) -> Bool { sequence <= self.sequence && !gaps.contains { $0.contains(sequence) } }
}
