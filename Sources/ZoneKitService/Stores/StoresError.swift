import ZoneKitRecords
import ZoneKitStorage

/// The reason why a store was not read or changed as asked, as a sentence for people.
package struct StoresError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Who can mend it.
  package enum Kind: Hashable, Sendable {
    /// The user: a name or word does not fit.
    case input
    /// The machine: a file or folder cannot be read or written, or a process uses it.
    case unavailable
  }

  /// Who can mend it.
  package let kind: Kind
  /// What was wrong, where, and what would be right.
  package let description: String

  /// A name or word that does not fit.
  package static func input(_ description: String) -> StoresError {
    StoresError(kind: .input, description: description)
  }

  /// A file or folder that cannot be read or written.
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

  /// The result of `work`; failures of files are converted into this type.
  static func from<Result>(_ work: () throws(StoreError) -> Result) throws(StoresError) -> Result {
    do {
      return try work()
    } catch {
      throw StoresError(error)
    }
  }
}
