import ZoneKitCloud
import ZoneKitRecords
import ZoneKitTableServer
import ZoneKitTables
import ZoneKitWire

/// The route `/auth/v1`: accounts and sessions of a Supabase-style service.
struct AuthRoute<Store: ZoneStore, Accounts: AccountStore> {
  /// The accounts.
  let accounts: AccountService<Store, Accounts>
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
      return exchange.reply(error.reply)
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
    case .account(let asked):
      accounts.receive(asked, with: credentials, from: exchange.clientHost) { exchange.answer($0.map(writer.reply)) }
    }
  }
}
