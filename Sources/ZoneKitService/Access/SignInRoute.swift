import ZoneKitCloud
import ZoneKitEventLoop
import ZoneKitRecords
import struct ZoneKitStorage.SystemGenerator
import ZoneKitTableServer
import ZoneKitWire

/// The route of the sign-in page, to which `redirectURL` of an answer leads (CloudKit Web Services, e.2).
final class SignInRoute<Store: ZoneStore, Accounts: AccountStore> {
  private let zones: ZoneService<Store, Accounts>
  private let file: CredentialFile
  private let passwords: FairWorker<Bool>
  private let recordOfNone = PasswordHash.recordOfNone()
  private var tries = SignInTries()

  /// The page of those zones, whose tokens are signed with the secret in that file. Passwords are hashed while the loop goes
  /// on.
  init(of zones: ZoneService<Store, Accounts>, _ file: CredentialFile, on loop: Loop) {
    self.zones = zones
    self.file = file
    passwords = FairWorker(for: loop)
  }

  /// The route. Pages of other origins cannot read it.
  var route: HTTPRoute { .ofOwnOrigin { self.serve($0) } }

  private static var nonce: String {
    var generator = SystemGenerator()
    return Base64.encodeForURL(RandomIdentifier.bytes(18, using: &generator))
  }

  private func serve(_ exchange: HTTPExchange) {
    do throws(SignInProblem) {
      switch exchange.request.method {
      case "GET":
        guard let ticket = try query(exchange.request)["ticket"].flatMap(SignInTicket.init) else { throw .noTicket }
        let token = try app(of: ticket)
        exchange.reply(form(ticket, token))
      case "POST": try signIn(exchange)
      default: exchange.reply(ControlRoute.methods(["GET", "POST"]))
      }
    } catch {
      exchange.reply(SignInPage.refusal(error, nonce: Self.nonce))
    }
  }

  private func query(_ request: HTTPRequest) throws(SignInProblem) -> HTTPQuery {
    do {
      return try request.queryItems()
    } catch {
      throw SignInProblem(status: error.status, error.reason)
    }
  }

  private func form(
    _ ticket: SignInTicket, _ token: CredentialRegistry.APIToken?, name: String = "", problem: SignInProblem? = nil
  ) -> HTTPReply {
    SignInPage.form(
      ticket, name: name, asksPassword: zones.authentication.mode == .strict, problem: problem,
      callback: token?.callback, nonce: Self.nonce)
  }

  /// The registered token of the app that wants a sign-in; nil if it has none, which only an open server allows.
  private func app(of ticket: SignInTicket) throws(SignInProblem) -> CredentialRegistry.APIToken? {
    zones.readCredentials()
    let authentication = zones.authentication
    let known = ticket.apiToken.flatMap { authentication.registry.token($0, .libcrypto) }
    if let known, known.reach.includes(ticket.container, ticket.environment) { return known }
    guard authentication.mode == .open else {
      throw SignInProblem(status: 400, "The API token of the app is not registered for \(ticket.container).")
    }
    return nil
  }

  private func signIn(_ exchange: HTTPExchange) throws(SignInProblem) {
    let form = try SignInForm(exchange.request.body)
    let token = try app(of: form.ticket)
    func end(_ account: Name?) {
      guard let account else {
        return exchange.reply(self.form(form.ticket, token, name: form.name, problem: .wrong))
      }
      exchange.reply(reply(signingIn: account, form, token))
    }
    guard zones.authentication.mode == .strict else {
      guard Authentication.isUsable(Name(form.name)) else {
        throw SignInProblem(status: 400, "A name has 1 to \(Name.lengthLimit) characters.")
      }
      return end(zones.authentication.registry.user(form.name)?.account ?? Name(form.name))
    }
    guard tries.admit(form.name.lowercased(), at: zones.now().monotonic) else { throw .tooMany }
    let user = zones.authentication.registry.user(form.name)
    // The work for a name without a password is the same, so that nobody learns from the time which have one.
    let known = user?.password.map { PasswordRecord(hash: $0.hash, salt: $0.salt) }
    let (record, password) = (known ?? recordOfNone, form.password)
    passwords.run(of: Name(form.name)) {
      { PasswordHash.isRight(password, for: record) }
    } finish: { isRight in
      end(isRight && known != nil ? user?.account : nil)
    }
  }

  private func reply(
    signingIn account: Name, _ form: SignInForm, _ app: CredentialRegistry.APIToken?
  ) -> HTTPReply {
    let secret: [UInt8]
    do throws(StoresError) {
      secret = try file.change { (registry) throws(StoresError) in registry.secret }
    } catch {
      return SignInPage.refusal(SignInProblem(status: 503, "\(error)"), nonce: Self.nonce)
    }
    zones.readCredentials()
    let reach = CredentialRegistry.Reach(container: form.ticket.container, environment: form.ticket.environment)
    let token = WebToken(account: account, reach: reach, issuedAt: zones.now().wall, life: form.life)
      .text(secret: secret, .libcrypto)
    if let callback = app?.callback { return SignInPage.redirect(to: callback, token: token) }
    // A token of an open server is no secret. A strict one hands it to a registered origin alone.
    let own = zones.authentication.mode == .open ? "*" : "null"
    return SignInPage.signedIn(token: token, targetOrigin: app?.origin ?? own, nonce: Self.nonce)
  }

  /// Starts no more hashing of passwords.
  func stopHashing() { passwords.close() }
}
