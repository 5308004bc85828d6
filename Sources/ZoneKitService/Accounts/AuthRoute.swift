import ZoneKitRecords
import ZoneKitTableServer
import ZoneKitTables
import ZoneKitWire

/// The route `/auth/v1`: accounts and sessions of a Supabase-style service.
struct AuthRoute {
  /// The accounts.
  let accounts: AccountService
  /// The faults of requests.
  let faults: TableFaults
  /// The URL of the server.
  let root: String
  /// How long an access token is valid, in seconds.
  let tokenLife: Int64
  /// The version of the program.
  let version: String

  /// The route.
  var route: HTTPRoute {
    var route = HTTPRoute(
      busy: { writer(for: $0).failure(AccountError(.unexpectedFailure, "the server is busy", retryAfter: 1)) },
      serve: { serve($0) })
    route.crossOrigin = .supabase
    return route
  }

  private func writer(for request: HTTPRequest) -> AuthReplyWriter {
    let keys = accounts.access.keys
    return AuthReplyWriter(AuthDialect(of: request), root: root, tokenLife: tokenLife) { keys.signature(of: $0) }
  }

  private func serve(_ exchange: HTTPExchange) {
    let request = exchange.request
    let writer = writer(for: request)
    let credentials = SupabaseCredentials(request)
    do throws(AccessProblem) {
      _ = try accounts.access.role(ofKey: credentials.key)
    } catch {
      return exchange.reply(error.reply(in: .auth))
    }
    let call: AuthCall
    do throws(AccountError) {
      call = try AuthCall(request)
    } catch {
      return exchange.reply(writer.failure(error))
    }
    switch call {
    case .health: exchange.reply(writer.health(version: version))
    case .settings: exchange.reply(writer.settings)
    case .keySet: exchange.reply(writer.keySet)
    case .account(let asked): carryOut(asked, credentials, exchange, writer)
    }
  }

  private func carryOut(
    _ asked: AccountRequest, _ credentials: SupabaseCredentials, _ exchange: HTTPExchange, _ writer: AuthReplyWriter
  ) {
    func receive(skew: Int64 = 0, complete: @escaping (AccountResponse) -> Void) {
      accounts.receive(asked, with: credentials, from: exchange.clientHost, skew: skew, complete: complete)
    }
    let hits = faults.faults(
      on: FaultSubject(
        asked, users: faults.users(accounts.sender(of: asked, with: credentials)), deviceID: credentials.deviceID))
    guard let hits else { return receive { exchange.reply(writer.reply($0)) } }
    let faulty = FaultyAccountExchange(hits)
    let send: (AccountResponse?) -> Void = { response in
      let reply = faulty.answer(to: response).map { writer.reply($0) }
      faults.delay(milliseconds: hits.delayMilliseconds) { exchange.answer(reply) }
    }
    guard faulty.applications > 0 else { return send(nil) }
    for number in 1...faulty.applications {
      receive(skew: hits.tokenSkew) { if number == faulty.applications { send($0) } }
    }
  }
}
