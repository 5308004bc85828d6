import ZoneKitCloud
import ZoneKitCloudProcess
import ZoneKitMemoryStores
import ZoneKitRecords
import ZoneKitSync

/// Writes events to the log, which the checkers read.
extension World {
  /// Logs an event on a device.
  mutating func log(_ event: LogEvent, of device: Int) {
    worldLog?.take(event, of: device, at: now)
    let kind = LogEventKinds(of: event)
    guard !kind.isDisjoint(with: checkers.reads(of: device)) else { return }
    checkers.take(LogEntry(event, on: devices[device].snapshot, at: moment(of: device)), kind, of: device)
  }

  /// Logs that the device's disk was replaced by its present content.
  mutating func logReplacedDisk(of device: Int, from before: MemoryDeviceStore, account: Name?) {
    log(.diskReplaced, of: device)
    let store = devices[device].store
    check(device) { $0.model.excuseLosses(from: before, to: store, of: account) }
  }

  /// Logs an event at the cloud.
  mutating func log(_ event: CloudEvent) { checkers.take(event, at: now) }

  /// Logs the effects of a turn of the cloud.
  mutating func logTurn(_ effects: [TurnEffect]) {
    var answers: [CloudResponse] = []
    var transactions = 0
    var commits: [Int] = []
    var findings: [Finding] = []
    for case .zones(let effect) in effects {
      switch effect {
      case .answer(_, let response): answers.append(response)
      case .transacted: transactions += 1
      case .fact(.committed(let commit)):
        commits.append(commit.requests)
        let broken = cloud.process.zones.store.brokenReference(in: commit.zone)
        findings += [ReferenceChecker.finding(broken, in: commit.zone)].compactMap { $0 }
      default: break
      }
    }
    findings += [AtomicBatchChecker.finding(answers: answers, transactions: transactions, commits: commits)].compactMap
    {
      $0
    }
    findings += noticeFindings(effects, answers)
    for finding in findings { checkers.report(Violation(finding.rule, at: now, finding.text)) }
  }

  private func noticeFindings(
    _ effects: [TurnEffect], _ answers: [CloudResponse]
  ) -> [Finding] {
    // A subscription of this turn may have been saved after the change.
    let isNewThere = answers.contains { if case .subscriptions = $0 { true } else { false } }
    guard cloud.process.zones.limits.subscriptionIndexDelay == 0, !isNewThere else { return [] }
    var findings: [Finding] = []
    for case .zones(.notify(let notice)) in effects {
      let subscriptions = (try? cloud.process.zones.store.database(notice.database))?.subscriptions ?? []
      if let finding = NoticeChecker.finding(notice, subscriptions: subscriptions) { findings.append(finding) }
    }
    return findings
  }
}
