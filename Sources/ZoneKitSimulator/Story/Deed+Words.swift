extension Deed {
  /// The deed in a few words, with the devices' names.
  package func words(_ cast: [Story.Cast]) -> String {
    switch self {
    case .wait(let milliseconds): "wait \(Duration.milliseconds(milliseconds))"
    case .app(let device, _): "\(cast[device].name): edit"
    case .start(let device): "\(cast[device].name): start"
    case .kill(let device): "\(cast[device].name): kill"
    case .crash(let device, let point): "\(cast[device].name): kill at \(point)"
    case .forceQuit(let device): "\(cast[device].name): force-quit"
    case .powerCut(let device, let kept):
      "\(cast[device].name): power cut, \(kept)/1000 of the unsynced commits survive"
    case .background(let device): "\(cast[device].name): background"
    case .foreground(let device): "\(cast[device].name): foreground"
    case .lowPower(let device, let isOn): "\(cast[device].name): low power \(isOn ? "on" : "off")"
    case .online(let device, let isOnline): "\(cast[device].name): \(isOnline ? "online" : "offline")"
    case .push(let device, let rule):
      "\(cast[device].name): \(rule.fault) \(rule.count.map { "the next \($0) pushes" } ?? "all pushes")"
    case .replayPush(let device): "\(cast[device].name): the last push again"
    case .sync(let device): "\(cast[device].name): sync"
    case .signIn(let device, let account): "\(cast[device].name): \(account.map { "sign in as \($0)" } ?? "sign out")"
    case .clock(let device, let offset): "\(cast[device].name): clock \(offset) ms ahead"
    case .drift(let device, let drift): "\(cast[device].name): clock \(drift) ppm fast"
    case .reset(let device, let reset): "\(cast[device].name): reset \(reset)"
    case .disk(let device, let deed): "\(cast[device].name): disk \(deed)"
    case .restoreCopy(let original, let twin): "\(cast[twin].name): becomes a copy of \(cast[original].name)"
    case .link(let device, let link): "\(cast[device].name): link \(link.words)"
    case .killCloud, .crashCloud, .fault, .clearFaults, .ask, .administer, .fullCloudDisk: "cloud: \(self)"
    }
  }
}
