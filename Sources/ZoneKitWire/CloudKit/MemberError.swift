/// An invalid member of a request's body, with its path.
///
/// A reader names the path as far as it knows it, and its caller adds the outer part, so that a valid body costs no
/// strings.
struct MemberError: Error, Hashable {
  /// The path of the member, such as `operations[3].record.recordName`.
  var path: String
  /// What the member must be, to follow the path in a sentence.
  var problem: String

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
  var reason: String { "\(path) \(problem)" }
}
