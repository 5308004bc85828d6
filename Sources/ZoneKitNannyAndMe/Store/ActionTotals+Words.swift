extension ActionTotals {
  /// The totals on one line: `12 sleep (1130 min), 9 diaper, 11 feeding (840 ml), 1 running`.
  package var line: String {
    let sleeps = "\(counts[.sleep] ?? 0) sleep (\(sleep / 60_000) min)"
    let feedings = "\(counts[.feeding] ?? 0) feeding (\(bottleVolume) ml)"
    return "\(sleeps), \(counts[.diaper] ?? 0) diaper, \(feedings), \(running) running"
  }
}
