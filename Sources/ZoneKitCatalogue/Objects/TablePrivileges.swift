import ZoneKitSchema

/// What roles may do with a table, beside its policies. At first each role may do all with all columns, as on a server of
/// Supabase.
package struct TablePrivileges: Equatable, Sendable {
  /// The roles of clients.
  package static let roles = ["anon", "authenticated", "service_role"]
  /// The privileges of tables that matter to clients.
  package static let all: Set<String> = ["select", "insert", "update", "delete"]

  /// The privileges of roles, and of everyone by the name `public`.
  private var ofTable: [String: Set<String>]
  /// The columns for which a role has a privilege.
  private var ofColumns: [String: [String: Set<String>]] = [:]

  /// All privileges for each role.
  init() { ofTable = Dictionary(uniqueKeysWithValues: Self.roles.map { ($0, Self.all) }) }

  /// Whether a role may do something with all columns.
  package func allows(_ privilege: String, to role: String) -> Bool {
    [role, "public"].contains { ofTable[$0]?.contains(privilege) ?? false }
  }

  /// Whether a role may do something with a column.
  package func allows(_ privilege: String, to role: String, column: String) -> Bool {
    allows(privilege, to: role)
      || [role, "public"].contains { ofColumns[$0]?[privilege]?.contains(column) ?? false }
  }

  /// Whether a role may do something with at least one column.
  package func allowsSome(_ privilege: String, to role: String) -> Bool {
    allows(privilege, to: role) || [role, "public"].contains { !(ofColumns[$0]?[privilege] ?? []).isEmpty }
  }

  /// Gives a column another name.
  mutating func rename(_ column: String, to name: String) {
    for (role, privileges) in ofColumns {
      for (privilege, columns) in privileges where columns.contains(column) {
        ofColumns[role]?[privilege] = columns.subtracting([column]).union([name])
      }
    }
  }

  /// Gives or takes a privilege; nil stands for all. Columns are those for which it is given; none for the whole table.
  mutating func change(_ privilege: String?, of role: String, isGrant: Bool, columns: [String]) {
    let names = privilege.map { [$0] } ?? Array(Self.all)
    for name in names where Self.all.contains(name) {
      if !columns.isEmpty {
        var held = ofColumns[role]?[name] ?? []
        if isGrant { held.formUnion(columns) } else { held.subtract(columns) }
        ofColumns[role, default: [:]][name] = held
      } else if isGrant {
        ofTable[role, default: []].insert(name)
      } else {
        ofTable[role]?.remove(name)
        // What is taken of a table is taken of its columns too (PostgreSQL: REVOKE).
        ofColumns[role]?[name] = nil
      }
    }
  }
}
