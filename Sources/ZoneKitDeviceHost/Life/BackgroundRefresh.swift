import ZoneKitRecords

/// The background refreshes of an app: times at which the system lets it sync while nobody looks at it.
///
/// The app asks for the next one when it leaves the foreground, and at the beginning of each one. The system grants it
/// no earlier than `interval` later, and not at all while the user has turned background refresh off.
package struct BackgroundRefresh: Hashable, Sendable {
  /// What happens.
  package enum Effect: Hashable, Sendable {
    /// The app asked for the next refresh.
    case asked
    /// The system refused to plan one, because the user has turned background refresh off. There is nothing to do.
    case refused
    /// The refresh begins: the app runs and syncs with the reason `refresh`.
    case begin
  }

  /// The shortest time between two refreshes, in milliseconds.
  package static let interval: Int64 = 1_800_000

  /// Whether the user allows background refresh.
  package private(set) var isAllowed = true
  private var isInFront = true
  /// When the system grants the next refresh; nil if none is planned.
  private var due: MonotonicTime?

  /// An app in the foreground, with the user's permission.
  package init() {}

  /// When `tick` has something to do next; nil if only an event can change that.
  package var nextDeadline: MonotonicTime? { due }

  /// The app left the foreground.
  package mutating func enteredBackground(at now: MonotonicTime) -> [Effect] {
    isInFront = false
    return ask(at: now)
  }

  /// The app came to the foreground. It syncs by itself then.
  package mutating func enteredForeground() {
    isInFront = true
    due = nil
  }

  /// The user turned background refresh on or off.
  package mutating func permissionChanged(isOn: Bool, at now: MonotonicTime) -> [Effect] {
    isAllowed = isOn
    guard isOn else {
      due = nil
      return []
    }
    return isInFront || due != nil ? [] : ask(at: now)
  }

  /// Time has passed.
  package mutating func tick(at now: MonotonicTime) -> [Effect] {
    guard let due, due <= now else { return [] }
    return ask(at: now) + [.begin]
  }

  private mutating func ask(at now: MonotonicTime) -> [Effect] {
    guard isAllowed else {
      due = nil
      return [.refused]
    }
    due = now.advanced(byMilliseconds: Self.interval)
    return [.asked]
  }
}
