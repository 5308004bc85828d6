import ZoneKitRecords

/// What a request to CloudKit Web Services shows about its sender (CloudKit Web Services, e).
package struct WebCredentials: Hashable, Sendable {
  /// What a request asks for, as far as it matters who may do so (CloudKit Web Services, e.1).
  package enum Purpose: Hashable, Sendable {
    /// To read records of a public database.
    case publicReading
    /// To look for users.
    case users
    /// Anything else.
    case other
  }

  /// `ckAPIToken` of the query; nil if it is missing.
  package var apiToken: String?
  /// `ckWebAuthToken` of the query; nil if it is missing.
  package var webAuthToken: String?
  /// The signature of a server; nil if there is none.
  package var signature: RequestSignature?
  /// The ID of the device; nil if there is none.
  package var deviceID: String?

  /// These credentials.
  package init(
    apiToken: String? = nil, webAuthToken: String? = nil, signature: RequestSignature? = nil, deviceID: String? = nil
  ) {
    self.apiToken = apiToken
    self.webAuthToken = webAuthToken
    self.signature = signature
    self.deviceID = deviceID
  }
}

/// Who sends a request.
package struct Identity: Hashable, Sendable {
  /// The account and the device.
  package var caller: Caller
  /// The web token for the next requests, which answers carry; nil for none.
  package var webAuthToken: String?

  /// The sender with that token.
  package init(_ caller: Caller, webAuthToken: String? = nil) {
    self.caller = caller
    self.webAuthToken = webAuthToken
  }
}
