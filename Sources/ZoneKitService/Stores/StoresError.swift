import ZoneKitRecords
import ZoneKitStorage

/// Why nothing was done to a store, or not all that was asked, as a sentence for people.
package struct StoresError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Whose fault it is.
  package enum Kind: Hashable, Sendable {
    /// The words name something that is not there, or that must not be there.
    case input
    /// A file or folder cannot be read or written, or somebody uses it.
    case unavailable
  }

  /// Whose fault it is.
  package let kind: Kind
  /// What was wrong, where, and what would be right.
  package let description: String

  /// A name or word that does not fit.
  package static func input(_ description: String) -> StoresError {
    StoresError(kind: .input, description: description)
  }

  /// Something that cannot be read, written or had.
  package static func unavailable(_ description: String) -> StoresError {
    StoresError(kind: .unavailable, description: description)
  }

  /// A failure of files; a folder in use is named with its owner.
  package init(_ error: StoreError) {
    let isOwned = error.kind == .busy && error.place.hasSuffix("/" + DirectoryLock.fileName)
    self.init(kind: .unavailable, description: isOwned ? "\(error.message); end it first" : "\(error)")
  }

  private init(kind: Kind, description: String) {
    self.kind = kind
    self.description = description
  }

  /// What `work` gives; its failures of files in this type.
  static func from<Result>(_ work: () throws(StoreError) -> Result) throws(StoresError) -> Result {
    do {
      return try work()
    } catch {
      throw StoresError(error)
    }
  }
}
