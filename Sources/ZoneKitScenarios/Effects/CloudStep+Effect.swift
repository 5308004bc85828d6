import ZoneKitRecords

extension CloudStep {
  /// The effect of the step on the cloud, with names resolved by the context.
  package func effect<Context: CloudStepContext>(in context: Context) throws(Context.Refusal) -> CloudStepEffect {
    if var fault {
      if let device = fault.scope.deviceID { fault.scope.deviceID = try context.deviceID(of: device) }
      return .add(fault)
    }
    switch self {
    case .refuse(let record, let code):
      let id = try context.id(of: record)
      let scope = FaultScope(.saveRecords, zoneName: id.zoneID.zoneName, recordNames: [id.recordName])
      return .replace(Fault(.refuseItems(.planted(code)), on: scope, name: Self.refusal(of: id)))
    case .accept(let record):
      return .remove(named: Self.refusal(of: try context.id(of: record)), otherwise: "it is not refused")
    case .refuseAbove(let count):
      let error = CloudError(.limitExceeded, "at most \(count) records at once")
      let scope = FaultScope(.modifyRecords, itemsAbove: count)
      return .add(Fault(.refuse(error), on: scope, name: ScenarioStep.cloud(self).text))
    case .full:
      let error = CloudError(.quotaExceeded, "the account's storage is full")
      return .replace(Fault(.refuseItems(error), on: FaultScope(.saveRecords), name: Self.fullName))
    case .hasRoom: return .remove(named: Self.fullName, otherwise: "it is not full")
    case .showLate(let span):
      return .replace(Fault(.staleFeed(milliseconds: span.milliseconds), name: "the cloud shows commits late"))
    case .omit(let record, let count, let device):
      var scope = FaultScope(.fetchZoneChanges, recordNames: [try context.id(of: record).recordName])
      if let device { scope.deviceID = try context.deviceID(of: device) }
      return .add(Fault(telling: .omitRecords, on: scope, times: count.limit))
    case .behave: return .removeAll
    case .expireTokens(let kind, let device): return .expireTokens(kind, device: device)
    case .expireDatabaseTokens(let holder):
      return .administer(.expireDatabaseTokens, account: try context.account(of: holder))
    case .loseSubscription(let holder):
      return .administer(.dropSubscription(try context.subscriptionID()), account: try context.account(of: holder))
    case .muteSubscription(let holder):
      return .administer(.muteSubscription(try context.subscriptionID()), account: try context.account(of: holder))
    case .doubleSubscription(let device):
      return .doubleSubscription(try context.subscriptionID(), account: try context.account(of: .device(device)))
    case .fullDisk(let disk, let isFull): return .fillDisk(disk, isFull)
    case .unreadableDisk(let isBroken): return .breakDisk(isBroken)
    case .answer, .loseAnswer, .loseRequest, .delayAnswer, .repeatRequest, .refuseItems, .partly, .staleFeed,
      .stuckToken, .doubleRecords, .listZone, .forgetSubscriptions, .muteSubscriptions:
      preconditionFailure("\(self) is a fault, or stands for no request")
    }
  }

  private static let fullName = "the cloud is full"

  private static func refusal(of id: RecordID) -> String { "refuse \(id.recordName) of \(id.zoneID.zoneName)" }
}

extension ZoneStep {
  /// The effect of the step on the cloud, with names resolved by the context.
  package func effect<Context: CloudStepContext>(in context: Context) throws(Context.Refusal) -> CloudStepEffect {
    switch self {
    case .create(let zone, let holder):
      return .ask(.modifyZones([.create(try context.zone(zone))]), account: try context.account(of: holder))
    case .delete(let zone, let holder):
      return .ask(.modifyZones([.delete(try context.zone(zone))]), account: try context.account(of: holder))
    case .purge(let zone, let holder):
      return .administer(.purgeZone(try context.zone(zone)), account: try context.account(of: holder))
    case .resetKeys(let zone, let holder):
      return .administer(.resetEncryptedData(try context.zone(zone)), account: try context.account(of: holder))
    case .lose(let zone, let holder):
      return .administer(.loseZone(try context.zone(zone)), account: try context.account(of: holder))
    case .forgetDeletions(let zone, let holder, let time):
      let time = time ?? context.wall.advanced(byMilliseconds: 1)
      return .administer(
        .purgeTombstones(try context.zone(zone), before: time), account: try context.account(of: holder))
    case .expireTokens(let zone, let holder):
      return .administer(.expireZoneTokens(try context.zone(zone)), account: try context.account(of: holder))
    }
  }
}
