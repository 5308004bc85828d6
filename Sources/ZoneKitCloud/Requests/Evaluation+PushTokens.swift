import ZoneKitRecords

extension Evaluation {
  /// A push token has this many random bytes (CloudKit Web Services, f.1).
  private static var tokenLength: Int { 32 }

  /// The longest token that is taken in, in bytes of its text.
  private static var tokenTextLimit: Int { 1024 }

  /// Makes up a push token, which counts only once it is registered.
  func createPushToken(
    environment: Environment, using generator: inout some RandomNumberGenerator
  ) throws(EvaluationFailure) -> Outcome {
    let token = Base64.encode(RandomIdentifier.bytes(Self.tokenLength, using: &generator))
    return Outcome(.pushToken(environment: environment, token: token))
  }

  /// Keeps the registration with the caller's account. That another account had the token before cannot be seen from
  /// here; the push service knows all registrations and lets the newest of a token count.
  func registerPushToken(_ registration: PushRegistration) throws(EvaluationFailure) -> Outcome {
    guard (1...Self.tokenTextLimit).contains(registration.token.utf8.count) else {
      throw .refused(.invalidArguments, "a push token has 1 to \(Self.tokenTextLimit) bytes")
    }
    var registration = registration
    registration.deviceID = registration.deviceID ?? caller.deviceID
    var outcome = Outcome(.pushToken(environment: registration.environment, token: registration.token))
    outcome.registration = registration
    outcome.databaseChange = Outcome.DatabaseChange(
      database: database.account(of: caller), transition: DatabaseTransition(savedRegistrations: [registration]))
    return outcome
  }
}
