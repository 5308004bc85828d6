import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitStorage
import ZoneKitTableServer

/// The e-mail addresses of the accounts in a data directory. People know them, and not the identifiers.
struct AccountNames {
  private let stores: [AccountFiles]

  /// The accounts of those apps. The server may be running.
  init(in data: DataDirectory, of apps: [DeviceApp]) {
    stores = apps.compactMap { app in
      guard case .tables(let tables) = app.cloud else { return nil }
      return AccountFiles(observing: AccountFiles.path(root: data.cloud, app: tables))
    }
  }

  /// The address of a user whose name is an account's identifier; nil for any other user, and if it is not known.
  func email(of user: Name) -> String? { stores.lazy.compactMap { $0.email(of: user) }.first }

  /// What people call a user.
  func name(of user: Name) -> String { email(of: user) ?? user.text }
}

extension AccountStore {
  /// The e-mail address of a user whose name is an account's identifier; nil for any other user.
  func email(of user: Name) -> String? { UUID(user.text).flatMap { try? account($0) }?.account.email }
}
