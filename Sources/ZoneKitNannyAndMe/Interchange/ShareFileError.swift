/// Why a share file is refused as a whole. Nothing of it was merged.
package enum ShareFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The bytes are no JSON document, or not one of the share format; the sentence says where and what would be right.
  case malformed(String)
  /// The file comes from a newer version of the app.
  case newerVersion(Int64)

  /// The sentence for the user.
  package var description: String {
    switch self {
    case .malformed(let what): "this is no NannyAndMe share file: \(what)"
    case .newerVersion(let version):
      "the share file has version \(version); this app reads version \(ShareFile.version), so update the app"
    }
  }
}
