import ZoneKitRecords

extension SyncStatus.Indicator {
  /// What users read in one line, for apps that show no more of their syncing. Of several states that hold, the first one
  /// counts: signed out, a version that needs an update, a sync that runs, an error, pending changes, and the last
  /// success. Being offline is no error.
  package init(lineOf facts: SyncStatus.Facts, at now: WallTime) {
    let pending = facts.pending > 0 ? "\(facts.pending) pending" : nil
    if !facts.hasSession {
      self.init("dash", .neutral, "Signed out")
    } else if facts.needsUpdate {
      self.init("triangle", .negative, "Update needed")
    } else if facts.isSyncing {
      self.init("spinner", .neutral, "Syncing...")
    } else if facts.error != nil, facts.isOnline {
      self.init("triangle", .negative, "Sync error" + (pending.map { " (\($0))" } ?? ""))
    } else if let pending {
      self.init("arrows", .warning, pending + (facts.isOnline ? "" : ", offline"))
    } else if let lastSync = facts.lastSync {
      self.init("check", .positive, "Synced \(Self.ago(now.milliseconds - lastSync.milliseconds))")
    } else {
      self.init("dash", .neutral, "Not synced")
    }
    if facts.refused > 0 { text += ", \(facts.refused) refused" }
  }

  /// A span of milliseconds in few letters, such as `2 min ago`.
  private static func ago(_ milliseconds: Int64) -> String {
    for (unit, length) in [("d", 86_400_000), ("h", 3_600_000), ("min", 60_000)] as [(String, Int64)] {
      let count = milliseconds / length
      if count > 0 { return "\(count) \(unit) ago" }
    }
    return "just now"
  }
}
