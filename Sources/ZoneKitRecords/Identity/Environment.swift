/// Names one of the two copies of a container (CloudKit Web Services, a.0). Push tokens have the same two.
public enum Environment: String, CaseIterable, Hashable, Comparable, Sendable {
  /// The copy that an app under development uses, and the one that is meant where none is named.
  case development
  /// The copy that a released app uses.
  case production

  /// Both names as an error message lists them.
  package static let allNames = "development or production"

  /// Orders environments by name.
  public static func < (first: Environment, second: Environment) -> Bool { first.rawValue < second.rawValue }
}
