/// An invalid member of a JSON object, with its path.
///
/// A reader names the path as far as it knows it, and its caller adds the outer part, so that a valid body costs no
/// strings.
package struct MemberError: Error, Hashable, CustomStringConvertible {
  /// The path of the member, such as `operations[3].record.recordName`.
  package var path: String
  /// What the member must be, to follow the path in a sentence.
  package var problem: String

  init(_ path: String, _ problem: String) {
    self.path = path
    self.problem = problem
  }

  /// The error for a value that is not a zone ID. `path` is empty if it is the element itself.
  static func notZoneID(_ path: String) -> MemberError {
    MemberError(path, "must be a zone ID such as {\"zoneName\":\"Notes\"}")
  }

  /// The same error with an outer part of the path.
  func within(_ outer: String) -> MemberError {
    MemberError(path.isEmpty ? outer : "\(outer).\(path)", problem)
  }

  /// The whole sentence.
  package var description: String { "\(path) \(problem)" }
}
