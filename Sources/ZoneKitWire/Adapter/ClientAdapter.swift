import ZoneKitRecords

/// The device's side of a protocol: the coordinator's requests as HTTP requests, and the answers.
package protocol ClientAdapter: Sendable {
  /// Converts a request for a database to an HTTP request.
  func request(_ request: CloudRequest, of database: DatabaseID, from caller: Caller) -> ClientRequest

  /// Converts an HTTP answer to a response. An answer that cannot be read becomes a `CloudError`.
  func response(_ answer: HTTPResponse, to request: CloudRequest, from caller: Caller) -> CloudResponse
}
