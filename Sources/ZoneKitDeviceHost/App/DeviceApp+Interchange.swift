import ZoneKitRecords

extension DeviceApp {
  /// The files in which an app hands its data on, read and written as a whole.
  package struct Interchange: Sendable {
    /// Reads a file without a device. Throws `AppRefusal` where the file is refused as a whole.
    package var check: @Sendable ([UInt8]) throws(AppRefusal) -> Void
    /// The edits that merge a file into what a device has, and a report. Throws `AppRefusal` where the file is refused as
    /// a whole, and `StoreError`.
    package var merge: @Sendable ([UInt8], AppView) throws -> AppAnswer
    /// The files of the chosen part of the app's data. Throws `AppRefusal` where there is no such part, and `StoreError`.
    package var export: @Sendable (Selection, AppView) throws -> Export

    /// Files that are checked, merged and exported so.
    package init(
      check: @escaping @Sendable ([UInt8]) throws(AppRefusal) -> Void,
      merge: @escaping @Sendable ([UInt8], AppView) throws -> AppAnswer,
      export: @escaping @Sendable (Selection, AppView) throws -> Export
    ) {
      self.check = check
      self.merge = merge
      self.export = export
    }
  }

  /// The part of an app's data that an export is about.
  package enum Selection: Hashable, Sendable {
    /// The profile that the app shows.
    case current
    /// The profile of that name or ID.
    case named(String)
    /// All profiles.
    case all
  }

  /// What an app exports.
  package struct Export: Hashable, Sendable {
    /// One file for each exported profile.
    package var files: [File]
    /// A sentence about the data that is in none of the files; nil where all is.
    package var remark: String?

    /// One file.
    package struct File: Hashable, Sendable {
      /// Its name within a folder.
      package var name: String
      /// What it holds.
      package var text: [UInt8]

      /// A file of that name.
      package init(name: String, text: [UInt8]) {
        self.name = name
        self.text = text
      }
    }

    /// Those files.
    package init(files: [File], remark: String? = nil) {
      self.files = files
      self.remark = remark
    }
  }
}
