/// The parts of a Supabase-style service. Each has its own first path segment and its own form of errors.
package enum SupabasePart: String, CaseIterable, Hashable, Sendable {
  /// Rows of tables.
  case rest
  /// Accounts and sessions.
  case auth
  /// Changes over a WebSocket.
  case realtime
  /// Objects.
  case storage
  /// Functions.
  case functions

  /// The first path segment.
  package var root: String { rawValue }
}

extension CrossOriginRule {
  /// The rule of all parts of a Supabase-style service.
  package static let supabase = CrossOriginRule(
    origin: .any, methods: "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS",
    fields: "apikey, authorization, content-type, x-client-info", allowsAskedFields: true,
    exposedFields: """
      Content-Range, Preference-Applied, Location, Retry-After, ETag, X-Supabase-Api-Version, ZoneKit-Feed, \
      ZoneKit-Verdicts
      """)
}
