import ZoneKitRecords

extension Evaluation {
  /// The longest token that is accepted, in bytes of its text.
  private static var tokenTextLimit: Int { 1024 }

  /// Makes a push token of 32 bytes for the caller's account (CloudKit Web Services, f.1). It has no effect until it is
  /// registered.
  func createPushToken(
    environment: Environment, using generator: inout some RandomNumberGenerator
  ) throws(EvaluationFailure) -> Outcome {
    let token = CreatedToken(for: database.account(of: caller), using: &generator)
    return Outcome(.pushToken(environment: environment, token: token.text))
  }

  /// Stores the registration with the caller's account. A token belongs to the account that created it. Of a token that
  /// no cloud created the push service knows the owner: the account that registered it first.
  func registerPushToken(_ registration: PushRegistration) throws(EvaluationFailure) -> Outcome {
    guard (1...Self.tokenTextLimit).contains(registration.token.utf8.count) else {
      throw .refused(.invalidArguments, "a push token has 1 to \(Self.tokenTextLimit) bytes")
    }
    let account = database.account(of: caller)
    if let created = CreatedToken(registration.token), !created.belongs(to: account) {
      throw .refused(
        .permissionFailure, "the push token was created for another account; create one with tokens/create")
    }
    var registration = registration
    registration.deviceID = registration.deviceID ?? caller.deviceID
    var outcome = Outcome(.pushToken(environment: registration.environment, token: registration.token))
    outcome.registration = registration
    outcome.databaseChange = Outcome.DatabaseChange(
      database: account, transition: DatabaseTransition(savedRegistrations: [registration]))
    return outcome
  }
}
