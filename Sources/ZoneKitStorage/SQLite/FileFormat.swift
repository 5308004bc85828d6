/// What marks a SQLite file as one of ours, and the steps from an empty file to the newest version of its tables.
package struct FileFormat: Sendable {
  /// What such a file is called in messages, for example `zone file`.
  package let name: String
  /// The number in the file's header (SQLite: fileformat2.html, 1.3.15).
  package let applicationID: Int32
  /// The statement lists that lead from version 0, an empty file, to 1, 2 and so on; never edited once released.
  package let migrations: [String]
  /// The oldest version that those who may not bring a file up to date can read.
  package let oldestObservable: Int32

  /// The version that this program writes, kept as `user_version`.
  package var version: Int32 { Int32(migrations.count) }

  /// The format of that name and mark; an observer reads the newest version only, unless said otherwise.
  package init(name: String, applicationID: Int32, migrations: [String], oldestObservable: Int32? = nil) {
    self.name = name
    self.applicationID = applicationID
    self.migrations = migrations
    self.oldestObservable = oldestObservable ?? Int32(migrations.count)
  }
}
