/// The reason for refusing a whole file. Nothing of it was merged.
package enum ShareFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The bytes are not a JSON document in the file format. The sentence names the place and what would be right.
  case malformed(String)
  /// A newer version of the app wrote the file.
  case newerVersion(Int64)

  /// The error as a sentence.
  package var description: String {
    switch self {
    case .malformed(let what): "this is no NannyAndMe share file: \(what)"
    case .newerVersion(let version):
      "the share file has version \(version); this app reads version \(ShareFile.version), so update the app"
    }
  }
}
