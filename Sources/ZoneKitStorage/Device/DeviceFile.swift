import ZoneKitRecords
import ZoneKitSync

/// A device's store in one SQLite file, `<folder>/device.sqlite`: each transition is one transaction on the disk.
package final class DeviceFile: DeviceStore {
  /// The name of the file in the device's folder.
  package static let fileName = "device.sqlite"

  /// The path of the file.
  package let path: String
  /// The numbers of WAL pages at which a commit copies them into the file: twice the pages of the file, within these
  /// bounds. A page of records changes hundreds of pages of the index over their names, and a page that many commits change
  /// is copied once, so the WAL of a large file may be long. That of a small one would only hold the same pages many times.
  private static let checkpointPages: ClosedRange<Int64> = 1_000...16_000
  /// The part of the file that is cached in memory, in KiB: enough for the index over the names of 100,000 records.
  private static let cacheKibibytes = 16_000
  let connection: Connection
  let statements: DeviceStatements
  private let pageCount: Statement
  /// The bounds to which the lists were last trimmed. They need trimming again only when the bounds change or a list
  /// grows.
  private(set) var appliedBounds: DeviceTransition.Bounds?
  /// The number of commits.
  private var commits = 0
  /// Whether the reads since `beginReading` share a transaction.
  private var isReading = false

  /// The store in that folder. Makes both if they are missing. One process owns the folder (`DirectoryLock`).
  package convenience init(folder: String, durability: Durability = .full) throws(StoreError) {
    try Folder.make(folder)
    let isNew = !Folder.exists(folder + "/" + Self.fileName)
    try self.init(folder: folder, access: .create, durability: durability)
    if isNew { try Folder.sync(folder) }
  }

  /// A read-only store in that folder, whether an owner is running or not. Open it anew for each look. `commit` fails
  /// as read-only.
  package static func readOnly(folder: String) throws(StoreError) -> DeviceFile {
    try DeviceFile(folder: folder, access: .observe, durability: .full)
  }

  private init(folder: String, access: Access, durability: Durability) throws(StoreError) {
    path = folder + "/" + Self.fileName
    let durable = durability
    connection = try Connection(
      path, as: .device, access: access, durability: durable, checkpointPages: Int32(Self.checkpointPages.lowerBound))
    try connection.execute("PRAGMA cache_size=-\(Self.cacheKibibytes)")
    statements = DeviceStatements(on: connection)
    pageCount = Statement("PRAGMA page_count", on: connection)
    try limitWAL()
  }

  /// The number of commits after which the size of the file is looked at again. Each look is a transaction of its own.
  private static let limitPeriod = 64

  /// Sets the limit of the WAL for the present size of the file.
  private func limitWAL() throws(StoreError) {
    let pages = try pageCount.first { $0.integer(0) } ?? 0
    connection.checkpoint(
      atPages: Int32(min(max(2 * pages, Self.checkpointPages.lowerBound), Self.checkpointPages.upperBound)))
  }

  /// The folder of the device of that name, below the folder of all devices.
  package static func folder(of name: Name, in root: String) throws(StoreError) -> String {
    root + "/" + (try FileName.folder(name, in: root))
  }

  /// The names of the devices that have a store below that folder, in ascending order.
  package static func names(in root: String) throws(StoreError) -> [Name] {
    try Folder.names(in: root)
      .filter { Folder.exists("\(root)/\($0)/\(fileName)") }.compactMap(FileName.decode).sorted()
  }

  /// Makes the following reads share one transaction, until a commit or `endReading`. By itself each read of a record would
  /// lock the file, and a page of a feed reads hundreds.
  package func beginReading() {
    guard !isReading else { return }
    isReading = (try? connection.execute("BEGIN")) != nil
  }

  /// Ends the transaction of reads, so that the pages of the WAL can be copied.
  package func endReading() {
    guard isReading else { return }
    isReading = false
    connection.rollBack()
  }

  package func commit(_ transition: DeviceTransition) throws(StoreError) {
    endReading()
    commits += 1
    if commits.isMultiple(of: Self.limitPeriod) { try limitWAL() }
    try connection.transaction { () throws(StoreError) in try write(transition) }
    appliedBounds = transition.bounds
  }
}
