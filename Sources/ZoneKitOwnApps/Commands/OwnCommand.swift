import ZoneKitDeviceHost
import ZoneKitRecords

/// A command for an app of a user's own data.
package enum OwnCommand: Hashable, Sendable {
  /// `list [TYPE] [N]`: entries of a type; without one the types and their counts.
  case list(String?, limit: Int?)
  /// `show ID`.
  case show(String)
  /// `new TYPE [as NAME] [in ZONE] FIELD=VALUE …`.
  case new(String, name: String?, zone: String?, [Assignment])
  /// `set ID FIELD=VALUE …`.
  case set(String, [Assignment])
  /// `delete ID`.
  case delete(String)
  /// `restore ID [ITEM]`: a document that was deleted, or an item that was removed.
  case restore(String, item: String?)
  /// `add ID [as NAME] FIELD=VALUE …`: an item of a document.
  case add(String, name: String?, [Assignment])
  /// `change ID ITEM FIELD=VALUE …`: an item of a document.
  case change(String, item: String, [Assignment])
  /// `drop ID ITEM`: an item of a document.
  case drop(String, item: String)

  /// A field and its value.
  package typealias Assignment = CommandWords.Assignment

  /// The first words of the commands for any data.
  static let verbs = ["list", "show", "new", "set", "delete"]
  /// The first words of the commands for documents and their items, besides those.
  static let verbsOfItems = ["restore", "add", "change", "drop"]

  /// Parses a line whose first word is one of those. Throws an error with the right form if it is no command.
  init(parsing line: String, verbs: [String]) throws(AppRefusal) {
    var words = try CommandWords(line)
    let verb = try words.next("one of \(verbs.joined(separator: ", "))")
    guard verbs.contains(verb) else {
      let guess = NearMiss.guess(for: verb, among: verbs).map { "; did you mean \($0)?" }
      throw AppRefusal("unknown command \"\(verb)\"\(guess ?? "; the app knows \(verbs.joined(separator: ", "))")")
    }
    switch verb {
    case "list": self = try Self.list(&words)
    case "show": self = .show(try words.next(Self.id))
    case "new":
      let type = try words.next("a type, as in `new Task title=Milk`")
      let name = try Self.name(&words)
      let zone = words.take("in") ? try words.next("a zone, as in `new Task in Lists title=Milk`") : nil
      self = .new(type, name: name, zone: zone, try Self.assignments(&words, atLeast: 0))
    case "set": self = .set(try words.next(Self.id), try Self.assignments(&words, atLeast: 1))
    case "delete": self = .delete(try words.next(Self.id))
    case "restore": self = .restore(try words.next(Self.id), item: words.next())
    case "add":
      let id = try words.next(Self.id)
      self = .add(id, name: try Self.name(&words), try Self.assignments(&words, atLeast: 0))
    case "change":
      let (id, item) = (try words.next(Self.id), try words.next(Self.item))
      self = .change(id, item: item, try Self.assignments(&words, atLeast: 1))
    default: self = .drop(try words.next(Self.id), item: try words.next(Self.item))
    }
    try words.end()
  }

  private static let id = "an ID, or the beginning of one; `list` shows them"
  private static let item = "an item: the beginning of its ID; `show ID` lists them"

  private static func list(_ words: inout CommandWords) throws(AppRefusal) -> OwnCommand {
    var type: String?
    if let word = words.upcoming, word.isQuoted || Int(word.text) == nil { type = words.next() }
    guard let text = words.next() else { return .list(type, limit: nil) }
    guard let limit = Int(text), limit > 0 else {
      throw AppRefusal("\"\(text)\" is no count; expected a whole number above 0")
    }
    return .list(type, limit: limit)
  }

  private static func name(_ words: inout CommandWords) throws(AppRefusal) -> String? {
    words.take("as") ? try words.next("a name that becomes the ID, as in `new Task as milk title=Milk`") : nil
  }

  /// The assignments up to the end of the line. A field is named once.
  private static func assignments(
    _ words: inout CommandWords, atLeast least: Int
  ) throws(AppRefusal) -> [Assignment] {
    var assignments: [Assignment] = []
    while words.upcoming != nil || assignments.count < least {
      let next = try words.nextAssignment("FIELD=VALUE, such as title=\"Oat milk\"")
      guard !assignments.contains(where: { $0.name == next.name }) else {
        throw AppRefusal("\(next.name) comes twice; say it once")
      }
      assignments.append(next)
    }
    return assignments
  }
}
