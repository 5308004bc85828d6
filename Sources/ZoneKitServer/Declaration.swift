/// What declares the tables or the documents of an app: a text, or the files that have it.
public enum Declaration: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The text itself.
  case text(String)
  /// The files of those paths. Of a schema in SQL, a folder stands for its files that end in `.sql`, in the order of their
  /// names.
  case files([String])

  /// The file, or the folder of a schema, of that path.
  public static func file(_ path: String) -> Declaration { .files([path]) }

  /// The text itself.
  public init(stringLiteral text: String) { self = .text(text) }
}
