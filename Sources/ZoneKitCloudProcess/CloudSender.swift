import ZoneKitRecords
import ZoneKitTables

/// Who sends a message to the cloud.
package struct CloudSender: Hashable, Sendable {
  private enum Identity: Hashable {
    case caller(Caller)
    case ofTables(RowCaller)
    case bearer(TableSender)
  }

  private let identity: Identity
  /// The names by which faults know the device, beside its ID.
  package let names: [String]

  /// The sender of that account and device.
  package init(_ caller: Caller, called names: [String] = []) {
    identity = .caller(caller)
    self.names = names
  }

  /// The sender of a request for tables that is known. No fault hits its requests.
  package init(_ caller: RowCaller) {
    identity = .ofTables(caller)
    names = []
  }

  /// The sender of a request for tables with a key and perhaps a token.
  package init(_ sender: TableSender) {
    identity = .bearer(sender)
    names = []
  }

  /// The key and the token; nil if the sender is known.
  var bearer: TableSender? { if case .bearer(let sender) = identity { sender } else { nil } }

  /// The sender as zones and documents know it.
  var caller: Caller {
    switch identity {
    case .caller(let caller): return caller
    case .ofTables(let caller):
      let user: Name = if case .account(let account) = caller.role { Name(account.text) } else { "" }
      return Caller(user: user, deviceID: caller.deviceID)
    case .bearer(let sender): return Caller(user: "", deviceID: sender.deviceID)
    }
  }

  /// The sender as tables know it. Whose key and token are not judged sees no row.
  var ofTables: RowCaller {
    switch identity {
    case .caller(let caller): RowCaller(.anonymous, deviceID: caller.deviceID)
    case .ofTables(let caller): caller
    case .bearer(let sender): RowCaller(.anonymous, deviceID: sender.deviceID)
    }
  }
}
