import ZoneKitScenarios
import ZoneKitRecords
import ZoneKitService
import ZoneKitSimulator

/// What happens between devices and the cloud.
extension RealPlayer {
  func play(_ step: LinkStep) throws(ExitFailure) {
    switch step {
    case .offline(let choice): for device in try devices(choice) { try stage.setOnline(false, device) }
    case .online(let choice): for device in try devices(choice) { try stage.setOnline(true, device) }
    case .cut(let link): try change(link) { $0.isCut = true }
    case .slow(let link, let span): try change(link) { $0.delay = span.milliseconds }
    case .clog(let link): try change(link) { $0.isClogged = true }
    case .heal(let link): try change(link) { $0 = LaneConditions() }
    case .recover: throw .virtualOnly("nobody ends all troubles of real processes and disks at one moment")
    case .healEverything:
      for device in stage.devices { device.link.heal() }
      if stage.server != nil { try stage.clearFaults() }
    case .set, .lose, .duplicate, .reorder:
      throw .virtualOnly("no process can do that")
    }
  }

  private func change(_ link: ScenarioLink, _ body: (inout LaneConditions) -> Void) throws(ExitFailure) {
    let choice: DeviceChoice
    var parts = DeviceLink.Part.allCases
    var ways = LinkDirection.allCases
    switch link {
    case .both(let devices): choice = devices
    case .toCloud(let devices): (choice, parts, ways) = (devices, [.requests], [.toServer])
    case .fromCloud(let devices): (choice, parts, ways) = (devices, [.requests], [.toDevice])
    case .push(let devices): (choice, parts) = (devices, [.pushes])
    }
    for device in try devices(choice) { device.link.change(parts, ways, body) }
  }

  func play(_ step: PushStep) throws(ExitFailure) {
    switch step {
    case .fault(let trouble, let count, let name):
      let lines: Int? = if case .next(let number) = count { number } else { nil }
      try stage.device(name).link.harmPushes(fault(trouble), count: lines)
    case .flow(let name):
      let link = try stage.device(name).link
      link.pushes.change {
        $0.lineFaults.clear()
        $0.toDevice = LaneConditions()
        $0.toServer = LaneConditions()
      }
      link.pushes.releaseSwapped()
    case .replay(let name):
      let device = try stage.device(name)
      guard let id = device.events("push").last?["id"]?.string else { throw .usage("no push came to \(name) yet") }
      try stage.push(["nid": .string(id)], to: device)
    case .stray(let name, let subscription):
      let device = try stage.device(name)
      try stage.push(
        ["nid": .string(stage.newID()), "met": ["sid": .string(subscription), "dbs": 1]], to: device)
    case .strayAccount(let name, let account):
      let user = UserRecordName.of(user: Name(account)).text
      try stage.push(
        ["nid": .string(stage.newID()), "ckuserid": .string(user)], to: try stage.device(name))
    case .tokenDies(let name):
      let device = try stage.device(name)
      guard let token = device.pushToken else { throw .usage("\(name) has no push token yet") }
      try stage.administer(.endPushToken(token), of: try account(of: .device(name)))
    case .gatewayRestarts: throw .virtualOnly("no process can do that")
    }
  }

  private func fault(_ trouble: PushTrouble) -> LineFault {
    switch trouble {
    case .drop: .drop
    case .duplicate: .duplicate
    case .swap: .swap
    case .delay(let span): .delay(span.milliseconds)
    case .prune: .change(.prune)
    case .withoutID: .change(.withoutID)
    case .misaddress: .change(.misaddress)
    }
  }
}
