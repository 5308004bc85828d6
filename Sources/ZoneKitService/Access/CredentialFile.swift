import ZoneKitRecords
import ZoneKitStorage
import ZoneKitWire

/// The file of a data directory with the API tokens, keys and users of CloudKit Web Services. Only its owner may read it.
///
/// Programs change it while a server runs, which reads it again when it has changed.
final class CredentialFile {
  /// The name of the file in its folder.
  static let fileName = "credentials.json"
  private static let secretLength = 32

  private let folder: String
  private var path: String { folder + "/" + Self.fileName }
  private var stamp: FileStamp?

  /// The file of a data directory.
  init(of data: DataDirectory) { folder = data.credentials }

  /// The file of a data directory. Throws if it cannot be read.
  convenience init(checking data: DataDirectory) throws(StoreError) {
    self.init(of: data)
    _ = try registry()
  }

  /// What the file holds; nil if it has not changed since the last call. A registry without anything if there is no file.
  func changed() throws(StoreError) -> CredentialRegistry? {
    let now = FileStamp(path)
    guard now != stamp else { return nil }
    let registry = try registry()
    stamp = now
    return registry
  }

  /// What the file holds.
  func registry() throws(StoreError) -> CredentialRegistry {
    guard let content = try Folder.read(path) else { return CredentialRegistry() }
    do {
      return try CredentialRegistry(JSON(parsing: content))
    } catch {
      throw StoreError(.corrupt, "it is not a document of credentials: \(error)", place: path)
    }
  }

  /// Changes what the file holds, which is made if it is missing. Throws if another program is changing it, or if `edit`
  /// throws; then nothing has changed.
  func change<Outcome>(_ edit: (inout CredentialRegistry) throws(StoresError) -> Outcome) throws(StoresError) -> Outcome
  {
    let (lock, read) = try StoresError.from { () throws(StoreError) in (try DirectoryLock(folder), try registry()) }
    defer { withExtendedLifetime(lock) {} }
    var edited = read
    if edited.secret.isEmpty {
      var generator = SystemGenerator()
      edited.secret = RandomIdentifier.bytes(Self.secretLength, using: &generator)
    }
    let result = try edit(&edited)
    try StoresError.from { () throws(StoreError) in
      try Folder.write(edited.json.bytes(.pretty) + [UInt8(ascii: "\n")], to: path)
    }
    return result
  }
}
