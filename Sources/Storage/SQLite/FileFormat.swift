/// What marks a SQLite file as one of ours, and the steps from an empty file to the newest version of its tables.
package struct FileFormat: Sendable {
  /// What such a file is called in messages, for example `zone file`.
  package let name: String
  /// The number in the file's header (SQLite: fileformat2.html, 1.3.15).
  package let applicationID: Int32
  /// The statement lists that lead from version 0, an empty file, to 1, 2 and so on; never edited once released.
  package let migrations: [String]

  /// The version that this program writes, kept as `user_version`.
  package var version: Int32 { Int32(migrations.count) }

  /// The format of that name and mark.
  package init(name: String, applicationID: Int32, migrations: [String]) {
    self.name = name
    self.applicationID = applicationID
    self.migrations = migrations
  }
}
