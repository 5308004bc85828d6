/// A kind of SQLite file: its application ID and the migrations from an empty file to the newest version of its tables.
package struct FileFormat: Sendable {
  /// The name of the format in messages, for example `zone file`.
  package let name: String
  /// The application ID in the file's header (SQLite: fileformat2.html, 1.3.15).
  package let applicationID: Int32
  /// The statements that migrate from version 0, an empty file, to 1, from 1 to 2 and so on. Never change a released
  /// one.
  package let migrations: [String]
  /// The oldest version that an observer, which cannot migrate a file, can read.
  package let oldestObservable: Int32
  /// The first version with a table `origin`; nil if the format has none.
  package let originSince: Int32?

  /// The version that this program writes, kept as `user_version`.
  package var version: Int32 { Int32(migrations.count) }

  /// A format. Observers read only the newest version by default.
  package init(
    name: String, applicationID: Int32, migrations: [String], oldestObservable: Int32? = nil, originSince: Int32? = nil
  ) {
    self.name = name
    self.applicationID = applicationID
    self.migrations = migrations
    self.oldestObservable = oldestObservable ?? Int32(migrations.count)
    self.originSince = originSince
  }
}
