/// What a request to a Supabase-style service says about its sender. Nothing of it is verified.
package struct SupabaseCredentials: Hashable, Sendable {
  /// The key of the app; nil if there is none.
  package let key: String?
  /// The token of a user. It is nil if there is none, and also if it is the key again: clients send that before a
  /// sign-in.
  package let bearer: String?
  /// The device that the request names in `X-Client-Info`, or else as `device` in its query; nil if it names none.
  package let deviceID: String?

  private static let scheme = "bearer "
  /// The text before the device in `X-Client-Info`.
  static let devicePrefix = "device="

  /// The device in the query of a WebSocket's request. In other queries `device` may name a column.
  private static func queriedDevice(_ request: HTTPRequest) -> String? {
    request.fields["Upgrade"] == nil ? nil : try? request.queryItems()["device"]
  }

  /// The credentials of a request. A WebSocket's request of a browser has no header fields of its own, so the key may
  /// also be an item of the query.
  package init(_ request: HTTPRequest) {
    let key = [request.fields["apikey"], try? request.queryItems()["apikey"]].compactMap(\.self).first { !$0.isEmpty }
    self.key = key
    let authorization = request.fields["Authorization"] ?? ""
    let token =
      authorization.prefix(Self.scheme.count).lowercased() == Self.scheme
      ? String(authorization.dropFirst(Self.scheme.count).drop { $0 == " " }) : ""
    bearer = token.isEmpty || token == key ? nil : token
    let named = request.fields["X-Client-Info"].flatMap { info in
      info.split(separator: " ").first { $0.hasPrefix(Self.devicePrefix) }
        .map { String($0.dropFirst(Self.devicePrefix.count)) }
    }
    deviceID = [named, Self.queriedDevice(request)].compactMap(\.self).first { !$0.isEmpty }
  }
}
