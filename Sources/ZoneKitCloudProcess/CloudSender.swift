import ZoneKitRecords
import ZoneKitTables

/// Who sends a message to the cloud.
package struct CloudSender: Hashable, Sendable {
  private enum Identity: Hashable {
    case caller(Caller)
    case ofTables(RowCaller)
  }

  private let identity: Identity
  /// The names by which faults know the device, beside its ID.
  package let names: [String]

  /// The sender of that account and device.
  package init(_ caller: Caller, called names: [String] = []) {
    identity = .caller(caller)
    self.names = names
  }

  /// The sender of a request for tables.
  package init(_ caller: RowCaller) {
    identity = .ofTables(caller)
    names = []
  }

  /// The sender as zones and documents know it.
  var caller: Caller {
    switch identity {
    case .caller(let caller): return caller
    case .ofTables(let caller):
      let user: Name = if case .account(let account) = caller.role { Name(account.text) } else { "" }
      return Caller(user: user, deviceID: caller.deviceID)
    }
  }

  /// The sender as tables know it. Who sends no key and no token sees no row.
  var ofTables: RowCaller {
    switch identity {
    case .caller(let caller): RowCaller(.anonymous, deviceID: caller.deviceID)
    case .ofTables(let caller): caller
    }
  }
}
