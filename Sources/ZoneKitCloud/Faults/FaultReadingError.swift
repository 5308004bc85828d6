/// What is wrong with the JSON text of a fault plan, of limits or of an administrator's deed.
package struct FaultReadingError: Error, Hashable, CustomStringConvertible {
  /// Where: the way to the member, such as `faults[2].after`.
  package var path: String
  /// What it must be, to be read behind the path.
  package var problem: String

  /// The trouble at that place.
  package init(_ path: String, _ problem: String) {
    self.path = path
    self.problem = problem
  }

  /// The whole sentence.
  package var description: String { "\(path) \(problem)" }
}
