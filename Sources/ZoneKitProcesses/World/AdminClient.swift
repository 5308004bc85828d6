import ZoneKitDeviceHost
import ZoneKitEventLoop
import ZoneKitRecords
import ZoneKitScenarios
import ZoneKitService
import ZoneKitWire

/// Sends the requests of an administrator to a running server: faults, limits, administration, and CloudKit requests in
/// the name of an account.
///
/// Each call waits for the server's answer.
package final class AdminClient {
  /// The time limit of an answer, in milliseconds.
  private static let patience: Int64 = 10_000

  private let client: HTTPClient
  private let app: DeviceApp
  private let waiter: EventWaiter
  /// The limits of the cloud.
  private let limits: Limits
  /// The database of an account.
  private let databases: (Name) -> DatabaseID
  /// Called with true before a wait for an answer and with false after it.
  private let onWait: (Bool) -> Void

  /// A client of the server at that address. Faults are those of requests of the app; `databases` says which database of an
  /// account is meant, nil for the app's. It connects with the first request, and again after the server has closed the
  /// connection.
  package init(
    at address: Address, app: DeviceApp, limits: Limits = Limits(), on waiter: EventWaiter,
    databases: ((Name) -> DatabaseID)? = nil, onWait: @escaping (Bool) -> Void = { _ in }
  ) {
    client = HTTPClient(address: address, loop: waiter.loop)
    self.app = app
    self.limits = limits
    self.waiter = waiter
    self.databases = databases ?? { app.database(of: $0) }
    self.onWait = onWait
  }

  // MARK: The cloud

  /// Carries out the effect of a step on the cloud. Throws if the server refuses it, if there is no fault to remove, or
  /// if no request can do it: expire the tokens of one device, or fill the disk.
  package func perform(_ effect: CloudStepEffect) throws(ProcessFailure) {
    switch effect {
    // The server's plan takes no fault with a probability of zero.
    case .add(let fault): if fault.perMille > 0 { try add(fault) }
    case .replace(let fault):
      _ = try removeFaults(named: fault.name)
      try add(fault)
    case .remove(let name, let refusal):
      guard try removeFaults(named: name) else { throw .refused(refusal) }
    case .removeAll:
      // Faults of pushes are not the cloud's own.
      let pushes = try faults().filter { $0["name"]?.string?.hasPrefix(PushTrouble.namePrefix) ?? false }
      try clearFaults()
      try addFaults(pushes)
    case .administer(let action, let account): try administer(action, of: account)
    case .ask(let request, let account): try ask(request, as: account)
    case .doubleSubscription(let id, let account): try doubleSubscription(id, of: account)
    case .expireTokens: throw .refused("the cloud does not know which device has which token")
    case .fillDisk, .breakDisk: throw .virtualOnly("a process has the disk of this machine")
    }
  }

  /// Sends a request in an account's name, from none of the devices. Throws if the cloud answers with an error.
  @discardableResult
  package func ask(_ request: CloudRequest, as user: Name) throws(ProcessFailure) -> CloudResponse {
    let caller = Caller(user: user)
    let message = ClientRequest(
      request, to: databases(user), apiToken: CloudKitAdapter.testToken, caller: caller)
    let response = try answer(to: message, "the request")
    switch ClientResponseReader.read(status: response.status, body: response.body, to: request, as: caller) {
    case .failure(let error): throw .unavailable("the server refused: \(error.reason)")
    case let answer: return answer
    }
  }

  /// Performs an administrator's operation on the database of an account. Throws if the server refuses it.
  package func administer(_ action: Administration, of account: Name) throws(ProcessFailure) {
    let request = AdministrationRequest(action, in: databases(account), from: Caller(user: account))
    try send("POST", "/zonekit/administration", request.json)
  }

  /// Performs an administrator's operation on the accounts of a server of tables. Throws if the server refuses it.
  package func administer(_ action: AccountAdministration) throws(ProcessFailure) {
    try send("POST", "/zonekit/administration", action.json)
  }

  /// Performs an administrator's operation on the rows of a server of tables. Throws if the server refuses it.
  package func administer(_ action: TableAdministration) throws(ProcessFailure) {
    try send("POST", "/zonekit/administration", action.json)
  }

  /// The identifier of the account with that e-mail address at a server of tables; nil if there is none.
  package func account(ofEmail email: String) throws(ProcessFailure) -> Name? {
    let accounts = try send("GET", "/zonekit/accounts")["accounts"]?.array ?? []
    return accounts.first { $0["email"]?.string == email }?["id"]?.string.map { Name($0) }
  }

  /// How many rows got each verdict from a server of tables since its start, by the verdict's name.
  package func verdicts() throws(ProcessFailure) -> [String: Int64] {
    let verdicts = try send("GET", "/zonekit/status")["cloud"]?["verdicts"]?.object ?? []
    return Dictionary(verdicts.map { ($0.key, $0.value.integer ?? 0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Purges documents of all accounts. Throws if the server refuses it.
  package func administer(_ action: DocumentAdministration) throws(ProcessFailure) {
    try send("POST", "/zonekit/administration", action.json)
  }

  /// The subscriptions of an account.
  package func subscriptions(of account: Name) throws(ProcessFailure) -> [Subscription] {
    guard case .subscriptions(let results) = try ask(.listSubscriptions, as: account) else { return [] }
    return results.compactMap { if case .subscription(let subscription) = $0 { subscription } else { nil } }
  }

  private func doubleSubscription(_ id: String, of account: Name) throws(ProcessFailure) {
    guard var subscription = try subscriptions(of: account).first(where: { $0.subscriptionID == id }) else {
      throw .refused("\(account) has no subscription yet")
    }
    subscription.subscriptionID += "-again"
    try ask(.modifySubscriptions([.create(subscription)]), as: account)
  }

  // MARK: Faults

  /// The faults of the plan that can still hit a request, as JSON. A new plan counts from zero, so the requests that a
  /// fault has already skipped and hit are subtracted.
  package func faults() throws(ProcessFailure) -> [JSON] {
    (try send("GET", "/zonekit/faults")["faults"]?.array ?? []).compactMap(Self.remainder)
  }

  /// Adds faults, as JSON, to the end of the plan.
  package func addFaults(_ added: [JSON]) throws(ProcessFailure) {
    guard !added.isEmpty else { return }
    try setFaults(try faults() + added)
  }

  /// Removes all faults.
  package func clearFaults() throws(ProcessFailure) {
    try send("DELETE", "/zonekit/faults")
    try setLimits()
  }

  /// Sets the limits of the cloud if they differ from the defaults.
  package func setLimits() throws(ProcessFailure) {
    guard limits != Limits() else { return }
    try send("PUT", "/zonekit/faults", ["faults": .array(try faults()), "limits": limits.json])
  }

  private func add(_ fault: Fault) throws(ProcessFailure) {
    let planned = PlannedFault(id: 1, fault: fault.fitted(to: app))
    try addFaults(FaultDocument.json(of: [planned])["faults"]?.array ?? [])
  }

  /// Removes the faults of that name. Returns whether there were any.
  @discardableResult
  package func removeFaults(named name: String) throws(ProcessFailure) -> Bool {
    let faults = try faults()
    let others = faults.filter { $0["name"]?.string != name }
    guard others.count < faults.count else { return false }
    try setFaults(others)
    return true
  }

  private func setFaults(_ faults: [JSON]) throws(ProcessFailure) {
    try send("PUT", "/zonekit/faults", ["faults": .array(faults)])
  }

  /// The rest of a fault of the plan; nil if it has hit as often as it may.
  private static func remainder(of fault: JSON) -> JSON? {
    var members = fault.object ?? []
    for (limit, used) in [("after", "passed"), ("times", "hits")] {
      guard let place = members.firstIndex(where: { $0.key == limit }), let number = members[place].value.integer else {
        continue
      }
      let rest = number - (fault[used]?.integer ?? 0)
      guard rest > 0 || limit == "after" else { return nil }
      members[place] = JSON.Member(limit, .integer(max(0, rest)))
    }
    return .object(members)
  }

  // MARK: Requests

  /// Signs in as a client of tables does, and returns the access token.
  package func accessToken(ofEmail email: String, password: String) throws(ProcessFailure) -> String {
    let credentials: JSON = ["email": .string(email), "password": .string(password)]
    let session = try send("POST", "/auth/v1/token?grant_type=password", credentials, as: "")
    guard let token = session["access_token"]?.string else { throw .unavailable("a sign-in of \(email) got no token") }
    return token
  }

  /// Sends a request to the control interface below `/zonekit/` and returns its answer; null if the answer has no body.
  /// With an access token it is the request of a client of tables. Throws if the server refuses the request.
  @discardableResult
  package func send(
    _ method: String, _ path: String, _ body: JSON? = nil, as token: String? = nil
  ) throws(ProcessFailure) -> JSON {
    var request = ClientRequest(getting: path)
    request.method = method
    request.body = body?.bytes() ?? []
    if let token { request.fields = Self.fields(token) }
    let response = try answer(to: request, "\(method) \(path)")
    var answer = JSON.null
    if !response.body.isEmpty {
      do {
        answer = try JSON(parsing: response.body)
      } catch {
        throw .unavailable("\(path) was answered with something that is not JSON: \(error)")
      }
    }
    guard !(200..<300).contains(response.status) else { return answer }
    let given = (answer["reason"] ?? answer["message"])?.string ?? "no reason"
    let reason = "the server answered \(method) \(path) with \(response.status): \(given)"
    throw (400..<500).contains(response.status) ? .refused(reason) : .unavailable(reason)
  }

  /// An open server takes any key of an app.
  private static func fields(_ token: String) -> [HTTPField] {
    [HTTPField("apikey", "test")] + (token.isEmpty ? [] : [HTTPField("Authorization", "Bearer \(token)")])
  }

  /// Sends a request and returns the answer, also one with an error. Throws if there is none; `what` names the request
  /// in the error.
  func answer(to request: ClientRequest, _ what: String) throws(ProcessFailure) -> HTTPResponse {
    var result: Result<HTTPResponse, MissingAnswer>?
    client.send(request) { [waiter] in
      result = $0
      waiter.report()
    }
    onWait(true)
    defer { onWait(false) }
    _ = try waiter.wait(atMost: Self.patience) { result != nil }
    switch result {
    case .success(let response)?: return response
    case .failure(let missing)?: throw .unavailable(missing.reason)
    case nil: throw .broken("not within \(Self.patience) ms: the server answers \(what)")
    }
  }
}
