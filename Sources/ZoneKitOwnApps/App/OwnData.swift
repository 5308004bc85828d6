import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSync

/// A kind of data of a user's own: what its entries are, and what commands make of them.
protocol OwnData: Sendable {
  /// The first words of its commands.
  var verbs: [String] { get }

  /// The entry of a record; nil for a record that is no entry, or that its user erased.
  func entry(_ record: LocalRecord) -> OwnEntry?

  /// The type that a word of `list` or `new` names. `known` are the types of which the store has entries.
  func type(_ word: String, known: [Name], isNew: Bool) throws(AppRefusal) -> Name

  /// The types that are listed also without entries.
  var types: [Name] { get }

  /// The names of the fields that a list of entries shows.
  func columns(of entries: [OwnEntry]) -> [Name]

  /// The names of the fields that users read of an entry, in their order.
  func fields(of entry: OwnEntry) -> [Name]

  /// The value of a field as users read and type it.
  func text(_ value: FieldValue, of field: Name, in entry: OwnEntry) -> String

  /// The value of a field in a file of values, without quotes.
  func plain(_ value: FieldValue, of field: Name, in entry: OwnEntry) -> String

  /// Whether the texts of a field are days.
  func isDay(_ field: Name, in entry: OwnEntry) -> Bool

  /// What users read of a value besides its text, such as its type; nil for nothing.
  func remark(on value: FieldValue, of field: Name, in entry: OwnEntry) -> String?

  /// A line for each part of an entry, such as an item.
  func parts(of entry: OwnEntry) -> [String]

  /// The entry as JSON.
  func json(_ entry: OwnEntry) -> JSON

  /// Performs a command that changes something.
  func change(
    _ command: OwnCommand, on shelf: OwnShelf<Self>, using generator: inout some RandomNumberGenerator
  ) throws(AppRefusal) -> OwnChange
}

/// What a command changes, and what its user reads of it.
struct OwnChange {
  /// The edits; empty if nothing changes.
  var edits: [RecordEdit]
  /// What was done, or why nothing was.
  var said: String

  /// A change of one entry.
  init(_ entry: OwnEntry, said: String) { self.init([entry.edit], said: said) }

  /// What setting fields of an entry to those values has made of it.
  init(_ entry: OwnEntry, from old: OwnEntry, _ assignments: [CommandWords.Assignment]) {
    if entry.fields == old.fields {
      self.init(said: "\(entry.words) is like that already")
    } else {
      self.init(entry, said: "set \(assignments.map(\.name).joined(separator: ", ")) of \(entry.words)")
    }
  }

  /// The deletion of an entry.
  init(deleting entry: OwnEntry) { self.init([.delete(entry.id)], said: "deleted \(entry.words)") }

  /// A change with those edits.
  init(_ edits: [RecordEdit] = [], said: String) {
    self.edits = edits
    self.said = said
  }
}
