/// An error in the JSON text of a fault plan, of limits or of an administrator's request.
package struct ControlReadingError: Error, Hashable, CustomStringConvertible {
  /// The path of the member, such as `faults[2].after`.
  package var path: String
  /// What the member must be, to follow the path in a sentence.
  package var problem: String

  /// An error at that member.
  package init(_ path: String, _ problem: String) {
    self.path = path
    self.problem = problem
  }

  /// The whole sentence.
  package var description: String { "\(path) \(problem)" }
}
