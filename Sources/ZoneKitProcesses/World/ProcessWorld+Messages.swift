import Glibc
import ZoneKitService
import ZoneKitWire

/// What the links hear of requests and their answers.
extension ProcessWorld {
  /// Takes in a message of a device or to it; says whether it goes on.
  func hear(_ message: LinkMessage, of device: ProcessDevice) -> Bool {
    switch message {
    case .request(let request):
      tokens.asked(request.body, by: device.name, as: request.account)
      // A process that ends before it sends has not asked.
      guard passes(.request, of: device) else { return false }
      device.traffic.asked(request.endpoint, at: now.milliseconds)
      return !request.changesCloud || passes(.change, of: device)
    case .answer(let answer, let request):
      device.traffic.ended(request.endpoint)
      tokens.answered(answer.body, to: request.account)
      let isChange = request.changesCloud && answer.status == 200
      return passes(.answer, of: device) && (!isChange || passes(.changed, of: device))
    case .unanswered(let request):
      device.traffic.ended(request.endpoint)
      return true
    }
  }

  /// Lets those end who are waited for at such a message; says whether none did.
  private func passes(_ moment: KillTrigger.Moment, of device: ProcessDevice) -> Bool {
    var isPassed = true
    for index in killTriggers.indices where killTriggers[index].isMet(by: moment, of: device.name) {
      killTriggers[index].number -= 1
      guard killTriggers[index].number == 0 else { continue }
      isPassed = false
      switch killTriggers[index].victim {
      case .cloud: endServer(with: SIGKILL)
      case .device: device.end(with: SIGKILL)
      }
    }
    killTriggers.removeAll { $0.number == 0 }
    return isPassed
  }
}

extension HTTPRequest {
  /// What is asked of CloudKit Web Services; nil for anything else.
  fileprivate var endpoint: Endpoint? { Endpoint.allCases.first { path.hasSuffix("/" + $0.rawValue) } }

  /// Whether the cloud keeps something for good when it does what is asked.
  fileprivate var changesCloud: Bool {
    switch endpoint {
    case .zonesModify, .recordsModify, .subscriptionsModify, .tokensRegister: true
    case nil, .zonesList, .zonesLookup, .recordsLookup, .changesDatabase, .changesZone, .subscriptionsList,
      .subscriptionsLookup, .tokensCreate:
      false
    }
  }

  /// In whose name is asked, as an open server takes it; empty where nobody is named.
  fileprivate var account: String {
    guard let token = (try? queryItems())?["ckWebAuthToken"], token.hasPrefix("user:") else { return "" }
    return String(token.dropFirst("user:".count))
  }
}
