/// The sender of a client's requests to a Supabase-style service, as their header fields name it.
package struct SupabaseSender: Hashable, Sendable {
  /// The key of the app.
  package var key: String
  /// The access token of the account; nil before a sign-in, when the key stands in its place.
  package var token: String?
  /// The device, which other services ignore; nil for none.
  package var deviceID: String?

  /// A sender with that key.
  package init(key: String, token: String? = nil, deviceID: String? = nil) {
    self.key = key
    self.token = token
    self.deviceID = deviceID
  }

  /// The header fields that name the sender.
  package var fields: [HTTPField] {
    let device = deviceID.map { " \(SupabaseCredentials.devicePrefix)\($0)" } ?? ""
    return [
      HTTPField("apikey", key), HTTPField("Authorization", "Bearer \(token ?? key)"),
      HTTPField("X-Client-Info", "zonekit\(device)"),
    ]
  }
}
