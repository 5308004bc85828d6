import ZoneKitRecords
import ZoneKitScenarios

/// Performs the steps that damage or replace what the cloud or a device has stored.
extension ScenarioPlayer {
  mutating func perform(_ step: DamageStep) throws(StepRefusal) {
    switch step {
    case .damageRecord(let record, let holder):
      let id = try observer.record(record)
      guard world.damage(id, of: try account(of: holder)) else { throw StepRefusal("the cloud does not have it") }
    case .damagePhoto(let number, let holder):
      guard world.damagePhoto(number, of: try account(of: holder)) else {
        throw StepRefusal("the cloud does not have it")
      }
    case .backUpZone(let zone, let holder):
      let (account, zone) = (try account(of: holder), try self.zone(zone))
      guard let copy = world.copy(of: zone, of: account) else { throw StepRefusal("\(account) has no such zone yet") }
      zoneCopies[account, default: [:]][zone] = copy
    case .restoreZone(let zone, let holder):
      let (account, zone) = (try account(of: holder), try self.zone(zone))
      guard let copy = zoneCopies[account]?[zone] else { throw StepRefusal("the zone was not backed up") }
      world.restore(copy, as: zone, of: account)
    case .loseCommits(let count, let zone, let holder):
      world.loseCommits(count, of: try self.zone(zone), of: try account(of: holder))
    case .backUpCloud: cloudCopy = world.copyOfCloud()
    case .restoreCloud:
      guard let cloudCopy else { throw StepRefusal("the cloud was not backed up") }
      world.restoreCloud(cloudCopy)
    case .repairCloud: world.repairCloud()
    case .damageTokens(let kind, let device):
      let number = try existing(device)
      do throws(StoreError) {
        try world.damageTokens(kind, of: number)
      } catch {
        throw StepRefusal("the store failed: \(error.message)")
      }
    }
  }
}
