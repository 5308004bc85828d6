import ZoneKitRecords
import ZoneKitScenarios

/// What a step about the cloud does to it. The player in virtual time and the player on processes carry out the same values.
package enum CloudStepEffect: Hashable, Sendable {
  /// Adds a fault to the plan.
  case add(Fault)
  /// Adds a fault to the plan, in place of those of the same name.
  case replace(Fault)
  /// Removes the faults of that name. Where the plan has none, the step is refused with the reason.
  case remove(named: String, otherwise: String)
  /// Removes all faults.
  case removeAll
  /// An administrator changes the database of an account.
  case administer(Administration, account: Name)
  /// A client that is none of the devices sends a request for an account.
  case ask(CloudRequest, account: Name)
  /// The account gets another subscription of the same content as the one of that ID.
  case doubleSubscription(String, account: Name)
  /// The change tokens that were handed out to a device expire; to all devices where nil.
  case expireTokens(TokenKind, device: String?)
  /// The cloud's disk takes no commits, or takes them again.
  case fillDisk(Bool)
}
