import ZoneKitRecords

/// The effect of a step on the cloud. The players in virtual time and on processes carry out the same values.
package enum CloudStepEffect: Hashable, Sendable {
  /// Adds a fault to the plan.
  case add(Fault)
  /// Adds a fault to the plan and removes those of the same name.
  case replace(Fault)
  /// Removes the faults of that name. If there are none, the step is refused with the reason.
  case remove(named: String, otherwise: String)
  /// Removes all faults.
  case removeAll
  /// Performs an administrator's operation on the database of an account.
  case administer(Administration, account: Name)
  /// A client that is not one of the devices sends a request for an account.
  case ask(CloudRequest, account: Name)
  /// Adds a second subscription with the content of the one with that ID.
  case doubleSubscription(String, account: Name)
  /// Expires the change tokens that were returned to a device; to all devices if nil.
  case expireTokens(TokenKind, device: String?)
  /// Makes those files of the cloud refuse commits, or accept them again.
  case fillDisk(CloudDisk, Bool)
  /// Makes every reading of the cloud's disk fail, or succeed again.
  case breakDisk(Bool)
}
