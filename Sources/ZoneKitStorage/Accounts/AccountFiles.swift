import ZoneKitRecords
import ZoneKitTableServer
import ZoneKitTables

/// The accounts of a table server in one SQLite file, `<cloud>/<container>/<environment>/accounts.sqlite`. Only the owner
/// of the file may read it.
///
/// A commit survives a power cut, except one of claims alone, which the next process finds again from the names of the
/// rows if the file was not closed.
///
/// The file is made by the first change. A file that cannot be read makes requests fail until it can be read: each turn
/// tries again. A file that is removed or replaced while the store is open is noticed, too.
package final class AccountFiles: AccountStore {
  /// The name of the file.
  package static let fileName = "accounts.sqlite"
  /// The most descriptors that the store has open.
  package static let descriptors = Connection.descriptors

  /// The path of the file.
  package let path: String
  private let access: Access
  /// The container to which the file belongs; nil for any.
  private let origin: FileOrigin?
  private let reserve: FileReserve?
  /// The claims of the rows that are there already, for a new file.
  private let claims: () throws(StoreError) -> [RowClaim]
  private(set) var file: AccountFile?
  private var place: ZonePlace?
  /// Whether the file was looked at in this turn.
  private var isChecked = false
  /// The error of a change of this turn.
  private var stageError: StoreError?
  /// Whether the file was not closed by its last process, so that a power cut may have undone claims.
  private var mayLackClaims = false
  /// Whether the claims were found again in this turn.
  private var hasFoundClaims = false

  /// The store of an app, below the cloud's folder. `reservesDescriptors` keeps descriptors back for the file, so that
  /// connections cannot take them all.
  package init(root: String, app: TableApp, reservesDescriptors: Bool = false) {
    path = Self.path(root: root, app: app)
    access = .create
    origin = FileOrigin(container: app.container, environment: app.environment)
    claims = { () throws(StoreError) in
      try ZoneClaims.all(root: root, container: app.container, environment: app.environment, zone: app.zone)
    }
    reserve = reservesDescriptors ? FileReserve(size: Self.descriptors) : nil
  }

  /// The store of the file at that path, for reading only.
  package init(observing path: String) {
    self.path = path
    access = .observe
    origin = nil
    reserve = nil
    claims = { [] }
  }

  /// The path of the file of an app, below the cloud's folder.
  package static func path(root: String, app: TableApp) -> String {
    CloudPaths(root: root).folder(of: app.container, app.environment) + "/" + fileName
  }

  /// Whether a file below the cloud's folder has accounts, or had them and is missing. One that cannot be read has none.
  package static func hasAccounts(root: String) throws(StoreError) -> Bool {
    let paths = CloudPaths(root: root)
    let isFound = try paths.accountFiles().contains { path, _ in
      (try? AccountFiles(observing: path).accountCount()) ?? 0 > 0
    }
    if isFound { return true }
    return try !AccountCheck.missing(in: paths).isEmpty
  }

  // MARK: Reading

  /// See `AccountStore`.
  package func account(_ id: UUID) throws(StoreError) -> StoredAccount? { try readable()?.account(id) }

  /// See `AccountStore`.
  package func hasAccount(_ id: UUID) throws(StoreError) -> Bool { try readable()?.hasAccount(id) ?? false }

  /// See `AccountStore`.
  package func account(email: String) throws(StoreError) -> StoredAccount? { try readable()?.account(email: email) }

  /// See `AccountStore`.
  package func accounts(after offset: Int, limit: Int) throws(StoreError) -> [StoredAccount] {
    try readable()?.accounts(after: offset, limit: limit) ?? []
  }

  /// See `AccountStore`.
  package func accountCount() throws(StoreError) -> Int { try readable()?.accountCount() ?? 0 }

  /// See `AccountStore`.
  package func session(_ id: UUID) throws(StoreError) -> StoredSession? { try readable()?.session(id) }

  /// See `AccountStore`.
  package func sessions(of account: UUID) throws(StoreError) -> [StoredSession] {
    try readable()?.sessions(of: account) ?? []
  }

  /// See `AccountStore`.
  package func refreshToken(_ hash: TokenHash) throws(StoreError) -> StoredRefreshToken? {
    try readable()?.refreshToken(hash)
  }

  /// See `AccountStore`.
  package func refreshTokens(of session: UUID) throws(StoreError) -> [StoredRefreshToken] {
    try readable()?.refreshTokens(of: session) ?? []
  }

  /// See `AccountStore`.
  package func owner(of row: RowName) throws(StoreError) -> UUID? {
    guard try readable() != nil else { return nil }
    if mayLackClaims { try findClaims() }
    return try file?.owner(of: row)
  }

  /// Adds the claims of all rows in the accounts' zones, as far as they are not there.
  private func findClaims() throws(StoreError) {
    var transition = AccountTransition()
    transition.claims = try claims()
    try writable().write(transition)
    mayLackClaims = false
    hasFoundClaims = true
  }

  // MARK: Writing

  /// See `AccountStore`.
  package func stage(_ change: AccountTransition) {
    guard stageError == nil else { return }
    do throws(StoreError) {
      try writable().write(change)
    } catch {
      stageError = error
    }
  }

  /// See `AccountStore`.
  package func commit() -> StoreError? {
    defer {
      isChecked = false
      stageError = nil
      hasFoundClaims = false
    }
    do throws(StoreError) {
      if let stageError { throw stageError }
      guard let file, file.isInTransaction else { return nil }
      try file.commit()
      try checkDisplacement(of: file)
      if place?.wal == nil { place = ZonePlace(path) }
      return nil
    } catch {
      file?.rollBack()
      if hasFoundClaims { mayLackClaims = true }
      return error
    }
  }

  /// See `AccountStore`.
  package func close() {
    file?.rollBack()
    file = nil
    stageError = nil
  }

  /// Throws if the file or its WAL is not at its path any more. If only the WAL is gone, the file takes its pages over.
  private func checkDisplacement(of file: AccountFile) throws(StoreError) {
    guard !file.connection.isInPlace() else { return }
    self.file = nil
    let lost = "the file or its WAL was removed or replaced while the server was running"
    do {
      try file.connection.checkpointWholly()
    } catch {
      throw StoreError(.failed, "\(lost): \(error.message)", place: path)
    }
    throw StoreError(.failed, lost, place: path)
  }

  // MARK: Opening

  /// The open file; nil if there is none yet.
  private func readable() throws(StoreError) -> AccountFile? {
    if let stageError { throw stageError }
    try check()
    if let file { return file }
    guard !Folder.isEmpty(path) else { return nil }
    return try opened(access == .create ? .existing : access)
  }

  private func writable() throws(StoreError) -> AccountFile {
    guard case .create = access else {
      throw StoreError(.readOnly, "the accounts are open for reading only", place: path)
    }
    try check()
    if let file { return file }
    let folder = Folder.parent(of: path)
    let isNew = Folder.isEmpty(path)
    try Folder.make(folder)
    let opened = try opened(.create)
    guard isNew else { return opened }
    try Folder.sync(folder)
    // The rows of an earlier file that was lost still belong to their accounts.
    var transition = AccountTransition()
    transition.claims = try claims()
    try opened.write(transition)
    return opened
  }

  private func opened(_ access: Access) throws(StoreError) -> AccountFile {
    // SQLite removes the WAL when the last connection to a file is closed (SQLite: wal.html, 2.2).
    let wasLeftOpen = Folder.size(of: path + "-wal") > 0
    let opened = try AccountFile(path, of: origin, access: access, reserve: reserve)
    if case .observe = access { return opened }
    file = opened
    mayLackClaims = wasLeftOpen
    place = ZonePlace(path)
    return opened
  }

  /// Looks once a turn whether the file is still the one that was opened. Another one in its place is opened anew; a
  /// missing one is an error, because new accounts in a new file would hide the loss.
  private func check() throws(StoreError) {
    guard !isChecked, let place else { return }
    let found = ZonePlace(path)
    guard found.file != nil else {
      close()
      throw StoreError(
        .failed, "the file was removed while the server was running: put it back, or start the server again",
        place: path)
    }
    if found.file != place.file {
      close()
      // A WAL that is still there belongs to the file that was replaced.
      if place.wal != nil, ZonePlace(path).wal == place.wal {
        for ending in ["-wal", "-shm"] { try Folder.remove(path + ending) }
        try Folder.sync(Folder.parent(of: path))
      }
      self.place = nil
    }
    isChecked = true
  }
}
