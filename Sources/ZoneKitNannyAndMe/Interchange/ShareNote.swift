/// A remark on one place of a file: what was refused or left out, with the reason.
package struct ShareNote: Error, Hashable, Sendable, CustomStringConvertible {
  /// The place as a JSON pointer (RFC 6901), such as `/actions/history/3/category`; empty for the whole file.
  package var path: String
  /// What is wrong, and what would be right.
  package var reason: String

  /// A remark on that place.
  package init(_ path: String, _ reason: String) {
    self.path = path
    self.reason = reason
  }

  /// Place and reason on one line.
  package var description: String { path.isEmpty ? reason : "\(path): \(reason)" }

  /// The pointer to a member of the object or array at `path`.
  static func path(_ path: String, _ key: String) -> String {
    var escaped = ""
    for character in key.unicodeScalars {
      switch character {
      case "~": escaped += "~0"
      case "/": escaped += "~1"
      default: escaped.unicodeScalars.append(character)
      }
    }
    return path + "/" + escaped
  }
}
