/// An environment of a container (CloudKit Web Services, a.0). Push tokens have the same environments.
public enum Environment: String, CaseIterable, Hashable, Comparable, Sendable {
  /// The environment of apps under development, and the default.
  case development
  /// The environment of released apps.
  case production

  /// Both names, for errors.
  package static let allNames = "development or production"

  /// Orders environments by name.
  public static func < (first: Environment, second: Environment) -> Bool { first.rawValue < second.rawValue }
}
