import Glibc
import ZoneKitService
import ZoneKitWire

/// Requests and answers as the links observe them.
extension ProcessWorld {
  /// A message from or to a device arrived. Returns whether the message is forwarded.
  func hear(_ message: LinkMessage, of device: ProcessDevice) -> Bool {
    switch message {
    case .request(let request):
      tokens.asked(request.body, by: device.name, as: request.account)
      // A process that ends before it sends has not sent the request.
      guard passes(.request, of: device) else { return false }
      device.traffic.asked(request.endpoint, isWrite: request.writesRecords, at: now.milliseconds)
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

  /// Kills the processes whose trigger fires at such a message. Returns whether none fires.
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
  /// The CloudKit Web Services endpoint of the request; nil for any other request.
  fileprivate var endpoint: Endpoint? { Endpoint.allCases.first { path.hasSuffix("/" + $0.rawValue) } }

  /// Whether the request saves or deletes records, rows or documents.
  fileprivate var writesRecords: Bool {
    endpoint == .recordsModify || path.hasPrefix("/rest/v1/") && method != "GET"
      || path.hasSuffix("/sync/push")
  }

  /// Whether the request changes the cloud durably.
  fileprivate var changesCloud: Bool { writesRecords || changesZones }

  private var changesZones: Bool {
    switch endpoint {
    case .zonesModify, .recordsModify, .recordsAccept, .subscriptionsModify, .tokensRegister: true
    case nil, .zonesList, .zonesLookup, .zonesChanges, .recordsLookup, .recordsQuery, .recordsQueryBatch,
      .recordsChanges, .assetsUpload, .assetsRereference, .changesDatabase, .changesZone, .subscriptionsList,
      .subscriptionsLookup, .tokensCreate, .usersCaller, .usersCurrent, .usersDiscover, .usersLookupEmail,
      .usersLookupID, .usersLookupContacts, .recordsResolve:
      false
    }
  }

  /// The account of the request, as an open server reads it; empty if the request names none.
  fileprivate var account: String {
    guard let token = (try? queryItems())?["ckWebAuthToken"], token.hasPrefix("user:") else { return "" }
    return String(token.dropFirst("user:".count))
  }
}
