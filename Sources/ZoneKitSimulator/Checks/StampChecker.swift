import ZoneKitRecords
import ZoneKitSync

/// An edit made after seeing another one has the later stamp. An edit that changes nothing, and a rule of the app, make
/// no stamp. A device whose clock is right makes no stamp far in the future, unless it has to exceed one.
package struct StampChecker: DeviceChecker {
  /// The field with the stamp; nil if the app has none.
  private let field: Name?

  /// A checker at the start of a log.
  package init(_ configuration: CoordinatorConfiguration) { field = configuration.stampField }

  /// See `DeviceChecker`.
  package mutating func take(_ entry: LogEntry, _ history: DeviceHistory) -> Finding? {
    switch entry.event {
    case .edited(let changes, let trueTime):
      return changes.compactMap { finding(in: $0, entry, trueTime) }.first
    case .repaired(let changes):
      guard let change = changes.first(where: { stamp(of: $0.before) != stamp(of: $0.after) }) else { return nil }
      return Finding(.stamp, "record \(change.id.words) was stamped anew by a rule, as if a person had edited it")
    default: return nil
    }
  }

  private func finding(in change: EditedRecord, _ entry: LogEntry, _ trueTime: WallTime) -> Finding? {
    guard change.before != change.after, let new = change.after, let after = stamp(of: new) else { return nil }
    let before = stamp(of: change.before)
    if isFromFuture(from: before, to: after, entry, trueTime) {
      return Finding(
        .stamp,
        "record \(change.id.words) was stamped \(after.iso8601), though it replaces nothing from so far ahead")
    }
    guard let old = change.before, let before else { return nil }
    if old.parent == new.parent, old.fields.without(field) == new.fields.without(field) {
      return Finding(
        .stamp, "record \(change.id.words) was stamped \(after.iso8601) by an edit that changes nothing else")
    }
    guard after < before else { return nil }
    return Finding(
      .stamp,
      "record \(change.id.words) was edited with stamp \(after.iso8601), older than \(before.iso8601), which it replaces"
    )
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

  private func stamp(of content: RecordContent?) -> WallTime? {
    guard let field, let content, case .timestamp(let time)? = (try? content.fields.decoded())?[field] else {
      return nil
    }
    return time
  }
}

extension EncodedFields {
  /// The fields without one of them; nil if the text cannot be read.
  func without(_ name: Name?) -> Fields? {
    guard let name, var fields = try? decoded() else { return try? decoded() }
    fields.remove(name)
    return fields
  }
}
