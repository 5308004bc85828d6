import ZoneKitRecords

extension DeviceApp {
  /// The format of an app's files for export and import.
  package struct Interchange: Sendable {
    /// What a file contains, in a sentence.
    package var summary: String
    /// A file that can be imported.
    package var example: String
    /// Checks a file without a device. Throws `AppRefusal` if the whole file is refused.
    package var check: @Sendable ([UInt8]) throws(AppRefusal) -> Void
    /// The edits that merge a file into a device's records, and a report. Throws `AppRefusal` if the whole file is
    /// refused, and `StoreError`.
    package var merge: @Sendable ([UInt8], AppView) throws -> AppAnswer
    /// The files of the selected profiles. Throws `AppRefusal` if there is no such profile, and `StoreError`.
    package var export: @Sendable (Selection, AppView) throws -> Export
    /// The import and export of files of other programs, as the text of a mapping file says. Throws `AppRefusal` if the mapping
    /// is wrong. Nil if the app has only its own files.
    package var mapped: (@Sendable ([UInt8]) throws(AppRefusal) -> MappedFiles)?
    /// A file of values with the data of one type. Throws `AppRefusal` if there is no such type, and `StoreError`. Nil if the
    /// app writes no such files.
    package var table: (@Sendable (String, AppView) throws -> Export)?

    /// A format with these operations.
    package init(
      summary: String, example: String,
      check: @escaping @Sendable ([UInt8]) throws(AppRefusal) -> Void,
      merge: @escaping @Sendable ([UInt8], AppView) throws -> AppAnswer,
      export: @escaping @Sendable (Selection, AppView) throws -> Export
    ) {
      self.summary = summary
      self.example = example
      self.check = check
      self.merge = merge
      self.export = export
    }
  }

  /// The import and export of files of other programs by one mapping.
  package struct MappedFiles: Sendable {
    /// Checks a file without a device. Throws `AppRefusal` if the whole file is refused.
    package var check: @Sendable ([UInt8]) throws(AppRefusal) -> Void
    /// The edits that join a file with a device's data, and a report. Throws `AppRefusal` if the whole file is refused, and
    /// `StoreError`.
    package var merge: @Sendable ([UInt8], AppView) throws -> AppAnswer
    /// The file of a device's data. Throws `AppRefusal` if the mapping cannot be turned round, and `StoreError`.
    package var export: @Sendable (AppView) throws -> Export

    /// Files with these operations.
    package init(
      check: @escaping @Sendable ([UInt8]) throws(AppRefusal) -> Void,
      merge: @escaping @Sendable ([UInt8], AppView) throws -> AppAnswer,
      export: @escaping @Sendable (AppView) throws -> Export
    ) {
      self.check = check
      self.merge = merge
      self.export = export
    }
  }

  /// The profiles to export.
  package enum Selection: Hashable, Sendable {
    /// The profile that the app shows.
    case current
    /// The profile of that name or ID.
    case named(String)
    /// All profiles.
    case all
  }

  /// The result of an export.
  package struct Export: Hashable, Sendable {
    /// One file for each exported profile.
    package var files: [File]
    /// A sentence about data that is in none of the files; nil if all data is.
    package var remark: String?

    /// One file.
    package struct File: Hashable, Sendable {
      /// The name of the file, without a folder.
      package var name: String
      /// The content.
      package var text: [UInt8]

      /// A file with that name and content.
      package init(name: String, text: [UInt8]) {
        self.name = name
        self.text = text
      }
    }

    /// An export of those files.
    package init(files: [File], remark: String? = nil) {
      self.files = files
      self.remark = remark
    }
  }
}
