import ZoneKitRecords

extension Evaluation {
  /// The length of a push token in random bytes (CloudKit Web Services, f.1).
  private static var tokenLength: Int { 32 }

  /// The longest token that is accepted, in bytes of its text.
  private static var tokenTextLimit: Int { 1024 }

  /// Makes a push token. It has no effect until it is registered.
  func createPushToken(
    environment: Environment, using generator: inout some RandomNumberGenerator
  ) throws(EvaluationFailure) -> Outcome {
    let token = Base64.encode(RandomIdentifier.bytes(Self.tokenLength, using: &generator))
    return Outcome(.pushToken(environment: environment, token: token))
  }

  /// Stores the registration with the caller's account. Another account may have registered the token before, which is
  /// not visible here. The push service knows all registrations and uses the newest one of a token.
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
