import ZoneKitCloud
import ZoneKitRecords

/// Messages that no zone server may get, because only another part of the process knows why not.
extension CloudProcess {
  /// Why a message is refused; nil if it is not.
  func refusal(of message: CloudMessage, from sender: CloudSender) -> CloudError? {
    guard case .call(let request, let database) = message else { return nil }
    return refusal(ofTokenIn: request, from: sender.caller) ?? refusal(ofChangeIn: request, of: database)
      ?? refusal(ofAssetsIn: request, of: database)
  }

  /// The error for the registration of a token that belongs to another account.
  private func refusal(ofTokenIn request: CloudRequest, from caller: Caller) -> CloudError? {
    guard case .registerPushToken(let registration) = request, let owner = gateway.owner(of: registration.token),
      owner != caller.user
    else { return nil }
    return CloudError(.permissionFailure, "the push token belongs to another account; create one with tokens/create")
  }

  /// The error for a change of zones that hold rows. The arbiter of rows would not know of it.
  private func refusal(ofChangeIn request: CloudRequest, of database: DatabaseID) -> CloudError? {
    guard hasObjects(database), !RequestTraits(request).zonesWritten.isEmpty else { return nil }
    return CloudError(.permissionFailure, "rows of \(database.container) are written over /rest/v1")
  }
}
