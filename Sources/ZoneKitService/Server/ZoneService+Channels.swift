import ZoneKitCloud
import ZoneKitCloudProcess
import ZoneKitRecords
import ZoneKitTableServer
import ZoneKitTables

/// Events of realtime sockets for the cloud's process. What follows from them comes over `onChannel`.
extension ZoneService {
  /// Adds the further names of devices to a subject of faults. It does not read the process, which is at work then.
  var naming: (FaultSubject) -> FaultSubject {
    guard hasFaults else { return { $0 } }
    return { [faults, greeted = process.gateway.namesOfDevices] in faults.named($0, greeted: greeted) }
  }

  /// A client asks for a socket with that key from that host.
  func opening(key: String?, from host: String, device: String?) -> SocketOpening {
    process.opening(
      key: key, from: host, device: device, at: now(), naming: naming, using: &generator)
  }

  /// A socket was opened. `role` is what the client's key allows.
  func openSocket(_ role: AccountClaims.Role, device names: [String]) -> SocketID? {
    guard let (id, effects) = process.openSocket(role, device: names, at: now()) else { return nil }
    for effect in effects { carryOut(effect) }
    return id
  }

  /// A part of a message, a ping or a pong arrived.
  func heard(on id: SocketID) { process.heard(on: id, at: now()) }

  /// A message arrived; nil stands for one that cannot be read. `verify` finds the claims of a token.
  func received(_ request: ChannelRequest?, on id: SocketID, verify: (String) -> ChannelServer.Verdict) {
    let reception = process.received(
      request, on: id, at: now(), naming: naming, verify: verify, using: &generator)
    for effect in reception.effects { carryOut(effect) }
  }

  /// A socket is gone.
  func socketClosed(_ id: SocketID) {
    for effect in process.socketClosed(id) { carryOut(effect) }
  }

  /// The time of `CloudProcess.nextChannelDeadline` has come.
  func tickChannels() {
    for effect in process.tickChannels(at: now()) { carryOut(effect) }
  }

  /// Passes a broadcast that did not come over a socket to those who joined the topic.
  func pass(_ broadcast: ChannelBroadcast, topic: String) {
    for effect in process.pass(broadcast, topic: topic) { carryOut(effect) }
  }

  /// Tells the channels the committed changes. Returns whether some are left for the next turn.
  func tellChanges() -> Bool {
    for effect in process.tellChanges(at: now(), naming: naming, using: &generator) { carryOut(effect) }
    return process.hasUntoldChanges
  }
}
