import ZoneKitEventLoop
import ZoneKitRecords

/// The addresses and keys of a running server as environment variables.
package struct ServerVariables {
  /// The names of variables that a server may lack, because it has no tables or needs no key.
  private static let optionalNames = ["SUPABASE_URL", "SUPABASE_ANON_KEY", "SUPABASE_SERVICE_ROLE_KEY", "ZONEKIT_KEY"]

  /// Names and texts of the variables that the server has, in the order of the help.
  package let known: [(name: String, text: String)]

  /// The names of variables that the server lacks. A command for it must not see those of another server.
  package var missing: [String] { Self.optionalNames.filter { name in !known.contains { $0.name == name } } }

  /// The variables of a server: `key` is that for requests to `/zonekit/`, and `tables` has the keys of its tables.
  init(
    http: Address, push: Address, key: String?, tables: (url: String, anonymousKey: String, serviceKey: String)?
  ) {
    var known = [("ZONEKIT_HTTP", "\(http)"), ("ZONEKIT_PUSH", "\(push)")]
    if let tables {
      known.append(("SUPABASE_URL", tables.url))
      known.append(("SUPABASE_ANON_KEY", tables.anonymousKey))
      known.append(("SUPABASE_SERVICE_ROLE_KEY", tables.serviceKey))
    }
    if let key { known.append(("ZONEKIT_KEY", key)) }
    self.known = known
  }
}

extension Server {
  /// The addresses and keys of this server.
  package var variables: ServerVariables {
    ServerVariables(http: http, push: pushAddress, key: controlKey, tables: supabase)
  }
}
