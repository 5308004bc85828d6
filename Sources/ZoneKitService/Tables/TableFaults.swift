import ZoneKitCloud
import ZoneKitRecords
import ZoneKitStorage
import ZoneKitTableServer
import ZoneKitTables
import ZoneKitWire

/// Puts the fault plan between the routes of a service of tables and what they ask. Without faults a request passes
/// untouched.
struct TableFaults {
  private let zones: FileZoneService
  private let accounts: AccountService
  private let now: () -> Moment

  /// The fault plan of that service.
  init(of zones: FileZoneService, accounts: AccountService, now: @escaping () -> Moment) {
    self.zones = zones
    self.accounts = accounts
    self.now = now
  }

  /// Whether there are faults. Then the end of a token is not judged before the faults are known, because a fault may
  /// change the clock that judges it.
  var isActive: Bool { zones.hasFaults }

  /// What the plan does to a subject; nil for nothing.
  func faults(on subject: @autoclosure () -> FaultSubject?) -> RequestFaults? {
    guard isActive, let subject = subject() else { return nil }
    return zones.faults(on: subject)
  }

  /// Calls `deliver` after that time; at once if it is zero.
  func delay(milliseconds: Int64, _ deliver: @escaping () -> Void) { zones.delay(milliseconds: milliseconds, deliver) }

  // MARK: Names of accounts

  /// The names of a sender's account.
  func users(_ caller: RowCaller) -> [Name] {
    guard case .account(let account) = caller.role else { return [] }
    return users(account)
  }

  /// The names of an account.
  func users(_ account: UUID?) -> [Name] { zones.users(account) }

  // MARK: Requests

  /// Lets a request of a known sender pass. `carryOut` is called as often as the request is carried out, with the faults
  /// that hit it, and calls its argument with the reply, or with nil if the connection is to be closed; the last reply
  /// counts. `refusal` writes the reply of a fault that refuses the request.
  func pass(
    _ exchange: HTTPExchange, in part: SupabasePart, _ subject: @autoclosure () -> FaultSubject,
    refusal: (ServiceRefusal) -> HTTPReply,
    carryOut: (RequestFaults?, @escaping (HTTPReply?) -> Void) -> Void
  ) {
    guard isActive else { return carryOut(nil) { exchange.answer($0) } }
    let faults = zones.faults(on: subject())
    let send: (HTTPReply?) -> Void = { reply in
      delay(milliseconds: faults?.delayMilliseconds ?? 0) { exchange.answer(reply) }
    }
    do throws(AccessProblem) {
      if faults?.contains(.expireTokens) == true { throw .token(.expired(seconds: 0)) }
      let judged = now().wall.advanced(byMilliseconds: faults?.tokenSkew ?? 0)
      if !exchange.isLink { _ = try accounts.access.caller(of: exchange.request, at: judged) }
    } catch {
      return send(error.reply(in: part))
    }
    guard let faults else { return carryOut(nil, send) }
    if let reply = faults.refusal.map(refusal) { return send(faults.losesAnswer ? nil : reply) }
    guard faults.applications > 0 else { return send(nil) }
    var waiting = faults.applications
    for _ in 1...faults.applications {
      carryOut(faults) { reply in
        waiting -= 1
        if waiting == 0 { send(faults.losesAnswer ? nil : reply) }
      }
    }
  }
}

extension HTTPExchange {
  /// Answers with a reply; closes the connection without one.
  func answer(_ reply: HTTPReply?) {
    if let reply { self.reply(reply) } else { breakOff() }
  }

  /// Whether the request follows a signed link, which has no key.
  fileprivate var isLink: Bool { ObjectCall.isLink(request) }
}
