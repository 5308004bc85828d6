import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitScenarios

/// What happens rarely to a device or to the cloud, while users write.
extension SwarmDraw {
  /// A rare event between edits on two devices.
  mutating func rareEvent(_ app: DeviceApp) -> [ScenarioStep] {
    let (device, other) = twoDevices()
    let steps = ready(device) + ready(other) + lines(2, on: device, app) + [wait(0...9_000)]
    let (event, end) = isHead() ? eventOfDevice(device, other) : eventOfCloud(device, app)
    return steps + event + lines(2, on: device, app) + lines(2, on: other, app) + [wait(0...9_000)] + end
      + lines(1, on: device, app) + [wait(0...9_000)]
  }

  /// Something that happens to a device, and what ends it.
  private mutating func eventOfDevice(_ device: String, _ other: String) -> ([ScenarioStep], [ScenarioStep]) {
    let one = DeviceChoice.named([device])
    switch number(9) {
    case 0: return ([.life(.lowPower(one))], [.life(.fullPower(one))])
    case 1:
      return (
        [.life(.backgroundRefresh(one, isOn: false)), .life(.background(one))],
        [.life(.backgroundRefresh(one, isOn: true)), .life(.foreground(one))]
      )
    case 2: return ([.disk(.slow(device, TimeSpan(milliseconds: 1 + Int64(number(3_000)))))], [.disk(.hasRoom(device))])
    case 3: return ([.account(.available(device, false))], [.account(.available(device, true))])
    case 4: return ([.life(.restart(.device(device)))], [])
    case 5: return ([.push(.stray(device, subscription: "other"))], [.push(.strayAccount(device, account: "granny"))])
    case 6: return ([.push(.fault(PushTrouble(.withoutID, .next(1 + number(3)), to: device)))], [])
    case 7:
      let time = WallTime(milliseconds: 1_800_000_000_000 + Int64(number(2_000_000)) * 1_000)
      return ([.clock(isHead() ? .set(device, time) : .stands(device, time))], [.clock(.right(device))])
    default: return ([.push(.tokenDies(device))], [])
    }
  }

  /// A device makes the subscription anew, and that goes wrong.
  private func madeAnew(_ device: String, _ fault: CloudStep) -> [ScenarioStep] {
    let place = Place.device(device)
    return [.cloud(.loseSubscription(of: Self.holder)), .cloud(fault), .life(.kill(place)), .life(.start(place))]
  }

  /// Something that happens to the cloud, and what ends it.
  private mutating func eventOfCloud(_ device: String, _ app: DeviceApp) -> ([ScenarioStep], [ScenarioStep]) {
    switch number(app.conversation.usesPushes ? 7 : 5) {
    case 0: return ([.push(.gatewayRestarts)], [])
    case 1: return ([.cloud(.full)], [.cloud(.hasRoom)])
    case 2: return ([.cloud(.refuseAbove(1 + number(5)))], [.cloud(.behave)])
    case 3: return ([.cloud(.showLate(TimeSpan(milliseconds: 1 + Int64(number(20_000)))))], [.cloud(.behave)])
    case 5: return (madeAnew(device, .forgetSubscriptions(.next(1), of: nil)), [.cloud(.behave)])
    case 6: return (madeAnew(device, .muteSubscriptions(.next(1), of: nil)), [.cloud(.behave)])
    default: return ([.cloud(.expireTokens(isHead() ? .database : .zone, of: device))], [])
    }
  }
}
