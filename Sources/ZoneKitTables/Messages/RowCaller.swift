import ZoneKitRecords

/// The sender of a request for rows: what it may see, and the device that it named.
package struct RowCaller: Hashable, Sendable {
  /// What the sender proved with its key and its token.
  package enum Role: Hashable, Sendable {
    /// Nobody is signed in. Such a sender sees no row.
    case anonymous
    /// An account. It sees and writes its own rows.
    case account(UUID)
    /// The owner of the server. It sees and writes the rows of all accounts.
    case service
  }

  /// What the sender may see.
  package var role: Role
  /// The device that the request named in `X-Client-Info`; nil if it named none.
  package var deviceID: String?

  /// A sender in that role on that device.
  package init(_ role: Role, deviceID: String? = nil) {
    self.role = role
    self.deviceID = deviceID
  }
}
