import ZoneKitRecords
import ZoneKitSync

/// An edit made after seeing another one has the later stamp. An edit that changes nothing, and a rule of the app, make
/// no stamp. A device whose clock is right makes no stamp far in the future, unless it has to exceed one.
package struct StampChecker: DeviceChecker {
  /// See `DeviceChecker`.
  package static let reads = LogEventKinds(events: [.edited, .repaired])

  /// The field with the stamp; nil if the app has none.
  private let field: Name?
  /// Whether the edits of one command get one stamp, above all that they replace.
  private let stampsTogether: Bool

  /// A checker at the start of a log.
  package init(_ configuration: CoordinatorConfiguration) {
    field = configuration.merging.stampField
    stampsTogether = configuration.merging.stamping == .together
  }

  /// See `DeviceChecker`.
  package mutating func take(_ entry: LogEntry, _ history: DeviceHistory) -> Finding? {
    switch entry.event {
    case .edited(let changes, let trueTime):
      let newest = stampsTogether ? changes.compactMap { stamp(of: $0.before) }.max() : nil
      return changes.compactMap { finding(in: $0, after: newest, entry, trueTime) }.first
    case .repaired(let changes):
      guard let change = changes.first(where: { stamp(of: $0.before) != stamp(of: $0.after) }) else { return nil }
      return Finding(.stamp, "record \(change.id.words) was stamped anew by a rule, as if a person had edited it")
    default: return nil
    }
  }

  /// The finding in a change. `newest` is the newest stamp that it has to exceed beside its own; nil for none.
  private func finding(
    in change: EditedRecord, after newest: WallTime?, _ entry: LogEntry, _ trueTime: WallTime
  ) -> Finding? {
    guard change.before != change.after, let new = change.after, let after = parts(of: new) else { return nil }
    let before = change.before.flatMap { parts(of: $0) }
    let exceeded = [before?.stamp, newest].compactMap { $0 }.max()
    if isFromFuture(from: exceeded, to: after.stamp, entry, trueTime) {
      return Finding(
        .stamp,
        "record \(change.id.words) was stamped \(after.stamp.iso8601), though it replaces nothing from so far ahead")
    }
    guard let old = change.before, let before else { return nil }
    // Bytes are compared: texts that differ only in their composition are equal as texts.
    if old.parent == new.parent, EncodedFields(before.rest) == EncodedFields(after.rest) {
      return Finding(
        .stamp, "record \(change.id.words) was stamped \(after.stamp.iso8601) by an edit that changes nothing else")
    }
    guard after.stamp < before.stamp else { return nil }
    let older = "older than \(before.stamp.iso8601), which it replaces"
    return Finding(.stamp, "record \(change.id.words) was edited with stamp \(after.stamp.iso8601), \(older)")
  }

  private func isFromFuture(
    from before: WallTime?, to after: WallTime, _ entry: LogEntry, _ trueTime: WallTime
  ) -> Bool {
    let horizon = trueTime.advanced(byMilliseconds: 2 * StampClock.tolerance)
    let known = entry.device.value(.clockOffset)?.integer ?? 0
    let offset = entry.at.wall.milliseconds - trueTime.milliseconds
    return abs(offset) < StampClock.tolerance && abs(known) < StampClock.tolerance && after > horizon
      && before.map { $0 <= horizon } ?? true
  }

  private func stamp(of content: RecordContent?) -> WallTime? { content.flatMap { parts(of: $0) }?.stamp }

  /// The stamp of a record and its other fields; nil if it has no stamp.
  private func parts(of content: RecordContent) -> (stamp: WallTime, rest: Fields)? {
    guard let field, var rest = try? content.fields.decoded(), case .timestamp(let stamp)? = rest[field] else {
      return nil
    }
    rest.remove(field)
    return (stamp, rest)
  }
}

extension EncodedFields {
  /// The fields without those; nil if the text cannot be read.
  func without(_ names: [Name]) -> Fields? {
    guard var fields = try? decoded() else { return nil }
    for name in names { fields[name] = nil }
    return fields
  }

  /// The fields without one of them; nil if they cannot be read.
  func without(_ name: Name?) -> Fields? {
    without(name.map { [$0] } ?? [])
  }
}
