import ZoneKitRecords

/// What people see of a device's syncing: one state, with an icon and a text. Everything that shows it uses this value.
package struct SyncStatus: Hashable, Sendable {
  /// The states.
  package enum State: String, CaseIterable, Hashable, Sendable {
    /// The device moves its rows into an account.
    case migrating
    /// A sync runs.
    case syncing
    /// There is no session, and the store holds an account's rows.
    case signedOut
    /// The last sync failed.
    case error
    /// There is no link.
    case offline
    /// None of these.
    case idle
  }

  /// The meaning of an icon's colour. It is never the only sign.
  package enum Tone: String, CaseIterable, Hashable, Sendable {
    case accent
    case neutral
    case warning
    case negative
    case positive
  }

  /// An icon with its tone and text.
  package struct Indicator: Hashable, Sendable {
    /// The name of the icon.
    package var icon: String
    /// The meaning of its colour.
    package var tone: Tone
    /// The text.
    package var text: String

    /// An icon with that tone and text.
    package init(_ icon: String, _ tone: Tone, _ text: String) {
      self.icon = icon
      self.tone = tone
      self.text = text
    }
  }

  /// What the state is computed from.
  package struct Facts: Hashable, Sendable {
    /// The present step of a migration; nil if none runs.
    package var migrationStep: String?
    /// Whether a sync runs.
    package var isSyncing = false
    /// Whether the store holds an account's rows.
    package var hasAccount = false
    /// Whether there is a session.
    package var hasSession = false
    /// Why there is no session; nil if no reason is known.
    package var signedOutReason: String?
    /// The error of the last sync; nil if it succeeded.
    package var error: String?
    /// Whether there is a link.
    package var isOnline = true
    /// Whether the cloud refuses the version of the app.
    package var needsUpdate = false
    /// The number of rows that wait to be sent.
    package var pending = 0
    /// The number of rows that are set aside, because the cloud never accepts them.
    package var refused = 0
    /// When the last sync succeeded; nil if none did.
    package var lastSync: WallTime?

    /// Nothing happened so far.
    package init() {}
  }

  /// The state.
  package let state: State
  /// The icon; nil for none.
  package let indicator: Indicator?

  /// The status of a device at that time. Of several states that hold, the first one in the order of their list counts.
  package init(_ facts: Facts, at now: WallTime) {
    let pending = facts.pending > 0 ? "\(facts.pending) pending" : nil
    func text(_ first: String) -> String { [first, pending].compactMap { $0 }.joined(separator: " · ") }
    if let step = facts.migrationStep {
      state = .migrating
      indicator = Indicator("icloud.and.arrow.up", .accent, step)
    } else if facts.isSyncing {
      state = .syncing
      indicator = Indicator("spinner", .neutral, "Syncing...")
    } else if facts.hasAccount, !facts.hasSession {
      state = .signedOut
      let reason = facts.signedOutReason.map { ": \($0)" } ?? ""
      indicator = Indicator("icloud.slash", .warning, "Not signed in\(reason)")
    } else if let error = facts.error {
      state = .error
      indicator = Indicator("exclamationmark.icloud", .negative, text(error))
    } else if !facts.isOnline {
      state = .offline
      indicator = Indicator("icloud.slash", .warning, text("Offline"))
    } else if let pending {
      state = .idle
      indicator = Indicator("arrow.triangle.2.circlepath", .warning, pending)
    } else {
      state = .idle
      indicator = facts.lastSync.map {
        Indicator("checkmark.icloud", .positive, "Last synced \(Self.ago(now.milliseconds - $0.milliseconds))")
      }
    }
  }

  /// A span of milliseconds in words, such as `5 minutes ago`.
  private static func ago(_ milliseconds: Int64) -> String {
    for (unit, length) in [("day", 86_400_000), ("hour", 3_600_000), ("minute", 60_000)] as [(String, Int64)] {
      let count = Int(milliseconds / length)
      if count > 0 { return "\(count.counted(unit)) ago" }
    }
    return "just now"
  }
}
