import ZoneKitRecords
import ZoneKitStorage

/// A failure to read or change stores, as a sentence for the user.
package struct StoresError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of failures.
  package enum Kind: Hashable, Sendable {
    /// A name or word in the user's input is wrong.
    case input
    /// A file or folder cannot be read or written, or a process uses it.
    case unavailable
  }

  /// The kind of the failure.
  package let kind: Kind
  /// What is wrong, where, and what would be right.
  package let description: String

  /// The error for a wrong name or word.
  package static func input(_ description: String) -> StoresError {
    StoresError(kind: .input, description: description)
  }

  /// The error for a file or folder that cannot be read or written.
  package static func unavailable(_ description: String) -> StoresError {
    StoresError(kind: .unavailable, description: description)
  }

  /// The error for a failure of files. For a folder in use it names the owner.
  package init(_ error: StoreError) {
    let isOwned = error.kind == .busy && error.place.hasSuffix("/" + DirectoryLock.fileName)
    self.init(kind: .unavailable, description: isOwned ? "\(error.message); end it first" : "\(error)")
  }

  private init(kind: Kind, description: String) {
    self.kind = kind
    self.description = description
  }

  /// Runs `work` and converts its errors to this type.
  static func from<Result>(_ work: () throws(StoreError) -> Result) throws(StoresError) -> Result {
    do {
      return try work()
    } catch {
      throw StoresError(error)
    }
  }
}
