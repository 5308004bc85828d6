import ZoneKitDeviceHost
import ZoneKitRecords

/// How the accounts that scenarios name look at a service of tables, which keeps accounts of its own.
package enum ScenarioAccount {
  /// The identifier of the account of that name.
  package static func identifier(of name: Name) -> UUID {
    let hash = FNV1a.hash("account \(name)")
    return UUID(high: UInt64(truncatingIfNeeded: hash >> 64), low: UInt64(truncatingIfNeeded: hash), version: 8)
  }

  /// The e-mail address of the account of that name.
  package static func email(of name: String) -> String { "\(name.lowercased())@example.test" }
}

extension DeviceApp {
  /// The account that scenarios call by that name: its identifier at the service of tables, if the app has tables.
  package func account(named name: String) -> Name {
    hasTables ? Name(ScenarioAccount.identifier(of: Name(name)).text) : Name(name)
  }
}
