/// A member of a request's body that is not what the endpoint takes, with its place.
///
/// Readers name the place as far as they know it; whoever called them adds what is around it, so that a body without
/// mistakes costs no text.
struct MemberError: Error, Hashable {
  /// The way to the member, such as `operations[3].record.recordName`.
  var path: String
  /// What it must be, to be read behind the path.
  var problem: String

  init(_ path: String, _ problem: String) {
    self.path = path
    self.problem = problem
  }

  /// What is said of something that should be a zone ID; `path` is empty where it is the element itself.
  static func notZoneID(_ path: String) -> MemberError {
    MemberError(path, "must be a zone ID such as {\"zoneName\":\"Notes\"}")
  }

  /// The same trouble, seen from further out.
  func within(_ outer: String) -> MemberError {
    MemberError(path.isEmpty ? outer : "\(outer).\(path)", problem)
  }

  /// The whole sentence.
  var reason: String { "\(path) \(problem)" }
}
