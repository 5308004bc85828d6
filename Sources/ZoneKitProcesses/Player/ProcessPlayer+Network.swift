import ZoneKitScenarios
import ZoneKitRecords
import ZoneKitService

/// Steps that act on the network between devices and the server.
extension ProcessPlayer {
  func play(_ step: LinkStep) throws(ProcessFailure) {
    switch step {
    case .offline(let choice): for device in try existing(choice) { try world.setOnline(false, device) }
    case .online(let choice): for device in try existing(choice) { try world.setOnline(true, device) }
    case .cut(let link): try change(link) { $0.isCut = true }
    case .slow(let link, let span): try change(link) { $0.delay = span.milliseconds }
    case .clog(let link): try change(link) { $0.isClogged = true }
    case .heal(let link): try change(link) { $0 = LaneConditions() }
    case .healEverything:
      for device in world.devices { device.link.heal() }
      if world.server != nil { try world.admin.clearFaults() }
    case .set, .lose, .duplicate, .reorder, .recover:
      throw .virtualOnly("no process can do that")
    }
  }

  private func change(_ link: ScenarioLink, _ body: (inout LaneConditions) -> Void) throws(ProcessFailure) {
    let choice: DeviceChoice
    var parts = DeviceLink.Part.allCases
    var ways = LinkDirection.allCases
    switch link {
    case .both(let devices): choice = devices
    case .toCloud(let devices): (choice, parts, ways) = (devices, [.requests], [.toServer])
    case .fromCloud(let devices): (choice, parts, ways) = (devices, [.requests], [.toDevice])
    case .push(let devices): (choice, parts) = (devices, [.pushes])
    }
    for device in try existing(choice) { device.link.change(parts, ways, body) }
  }

  func play(_ step: PushStep) throws(ProcessFailure) {
    switch step {
    case .fault(let fault): try world.admin.perform(.add(fault.fault))
    case .flow(let name): try world.admin.removeFaults(named: PushTrouble.name(to: name))
    case .replay(let name):
      let device = try world.device(name)
      guard let id = device.events("push").last?["id"]?.string else { throw .refused("no push came to \(name) yet") }
      try world.push(["nid": .string(id)], to: device)
    case .stray(let name, let subscription):
      let device = try world.device(name)
      try world.push(
        ["nid": .string(world.newID()), "met": ["sid": .string(subscription), "dbs": 1]], to: device)
    case .strayAccount(let name, let account):
      let user = UserRecordName.of(user: Name(account)).text
      try world.push(
        ["nid": .string(world.newID()), "ckuserid": .string(user)], to: try world.device(name))
    case .tokenDies(let name):
      let device = try world.device(name)
      guard let token = device.pushToken else { throw .refused("\(name) has no push token yet") }
      try world.admin.administer(.endPushToken(token), of: try account(of: .device(name)))
    case .gatewayRestarts: throw .virtualOnly("no process can do that")
    }
  }
}
