import ZoneKitRecords

/// What a device holds compared with its cloud: how many records are alike, and what is wrong with the others.
package struct DeviceStanding: Hashable, Sendable {
  /// The kinds of standings, from the best to the worst.
  package enum Level: String, Sendable, CaseIterable {
    /// Device and cloud hold the same records.
    case same
    /// The device has edits that the cloud does not have.
    case ahead
    /// The device has not seen changes of the cloud.
    case behind
    /// Something keeps device and cloud apart that no sync ends by itself.
    case stuck
  }

  /// Records of one kind that differ.
  private struct Group: Hashable {
    var count = 0
    /// The reason of the record whose change is the oldest.
    var reason: DifferenceReason
    /// The time of that change, by the cloud's or the device's clock; nil if nothing tells.
    var since: WallTime?
  }

  /// The device's name.
  package let device: String
  /// The number of records that device and cloud hold alike.
  package private(set) var alike = 0
  private var groups: [Level: Group] = [:]

  /// The standing of a device of which no record is compared yet.
  package init(device: String) { self.device = device }

  /// That many records are alike on the device and in the cloud.
  package mutating func add(alike count: Int) { alike += count }

  /// A record is compared, and differs for that reason; nil if it is alike on the device and in the cloud.
  package mutating func add(_ reason: DifferenceReason?) {
    guard let reason else { return alike += 1 }
    let (level, since) = reason.kind
    guard var group = groups[level] else {
      groups[level] = Group(count: 1, reason: reason, since: since)
      return
    }
    group.count += 1
    if let since, group.since.map({ since < $0 }) ?? true { (group.reason, group.since) = (reason, since) }
    groups[level] = group
  }

  /// The worst of what differs; `same` if nothing does.
  package var level: Level { Level.allCases.last { groups[$0] != nil } ?? .same }

  /// The number of changes of the cloud that the device has not seen.
  package var behind: Int { groups[.behind]?.count ?? 0 }

  /// The number of the device's edits that the cloud does not have.
  package var ahead: Int { groups[.ahead]?.count ?? 0 }

  /// The number of records that no sync makes alike by itself.
  package var stuck: Int { groups[.stuck]?.count ?? 0 }

  /// The standing as a sentence without a full stop, such as `B is behind by 3 records: it is offline`.
  package var sentence: String {
    let parts = [Level.behind, .ahead, .stuck].compactMap { level in groups[level].map { clause(level, $0) } }
    guard !parts.isEmpty else { return Self.sentence(of: [device], alike: alike) }
    return "\(device) " + parts.joined(separator: "; it ")
  }

  private func clause(_ level: Level, _ group: Group) -> String {
    let count = group.count
    let cause = group.reason.cause(of: device).map { ": \($0)" } ?? ""
    return switch level {
    case .behind: "is behind by \(count.counted("record"))\(cause)"
    case .ahead: "has \(count.counted("edit")) that the cloud has not\(cause)"
    case .stuck: "holds \(count.counted("record")) apart from the cloud: it \(group.reason.clause)"
    case .same: ""
    }
  }

  /// The sentences for devices of one account: one for each that differs from the cloud, in their order, and one for those that
  /// hold the same.
  package static func sentences(of devices: [DeviceStanding]) -> [String] {
    let same = devices.filter { $0.level == .same }
    let others = devices.filter { $0.level != .same }.map(\.sentence)
    guard let alike = same.first?.alike else { return others }
    return others + [sentence(of: same.map(\.device), alike: alike)]
  }

  private static func sentence(of devices: [String], alike: Int) -> String {
    guard devices.count > 1, let last = devices.last else {
      return "\(devices.first ?? "") holds the same \(alike.counted("record")) as the cloud"
    }
    let names = devices.dropLast().joined(separator: ", ") + " and \(last)"
    return "\(names) hold the same \(alike.counted("record"))"
  }
}

extension DifferenceReason {
  /// The level of a record that differs for this reason, and since when it does, if something tells.
  fileprivate var kind: (level: DeviceStanding.Level, since: WallTime?) {
    switch event {
    case .unseen(let changedAt, _): (.behind, changedAt)
    case .unsent(let since, _, nil), .unanswered(let since): (.ahead, since)
    // An edit beside a change that the device has not seen is merged when it fetches.
    case .unsent(let since, _, let changedAt?): (.ahead, min(since, changedAt))
    case .quarantined, .tampered, .forgotten: (.stuck, nil)
    }
  }
}
