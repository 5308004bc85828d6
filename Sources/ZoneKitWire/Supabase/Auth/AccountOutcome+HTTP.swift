import ZoneKitRecords
import ZoneKitTables

extension AccountOutcome {
  /// What a client reads in the answer to a request to the accounts. An answer that cannot be read counts as lost.
  package init(_ answer: HTTPResponse) {
    guard (200..<300).contains(answer.status) else {
      self = .failed(SessionError(ServiceRefusal(answer)))
      return
    }
    guard !answer.body.isEmpty else {
      self = .done
      return
    }
    guard let json = try? JSON(parsing: answer.body), json.object != nil else {
      self = .failed(SessionError(.transient(retryAfter: nil), "the answer of the service cannot be read"))
      return
    }
    guard json["access_token"] != nil else {
      self = .done
      return
    }
    guard let grant = AccountGrant(json) else {
      self = .failed(SessionError(.transient(retryAfter: nil), "the answer of the service has no complete session"))
      return
    }
    self = .session(grant)
  }
}

extension AccountGrant {
  fileprivate init?(_ json: JSON) {
    guard let access = json["access_token"]?.string, let refresh = json["refresh_token"]?.string,
      let seconds = json["expires_in"]?.integer, (0...AccountGrant.longestLife).contains(seconds),
      let account = json["user"]?["id"]?.string.flatMap({ UUID($0) })
    else { return nil }
    self.init(
      account: account, email: json["user"]?["email"]?.string ?? "",
      tokens: SessionTokens(access: access, refresh: refresh, life: seconds * 1_000))
  }

  /// The longest life of an access token that a client believes, in seconds: ten years.
  private static let longestLife: Int64 = 315_360_000
}

extension SessionError {
  /// The error for a refusal. Its status shows whether it can pass by itself.
  package init(_ refusal: ServiceRefusal) {
    let pause = refusal.retryAfter.map { Int64($0) * 1_000 }
    let isTransient = refusal.status >= 500 || refusal.status == 408 || refusal.status == 429
    self.init(isTransient ? .transient(retryAfter: pause) : .refused(refusal.code), refusal.message)
  }
}
