/// A step of a plain client: a program that knows the protocol of documents and nothing else.
package enum DocumentStep: Hashable, Sendable {
  /// `a plain client reads A's last log`: it keeps the document as it is now.
  case read(RecordReference)
  /// `a plain client sets notes of A's last log to "x"`: it changes a member of what it read; it reads first if it never
  /// did.
  case set(member: String, of: RecordReference, ScenarioValue)
  /// `a plain client omits colour of A's last log`: what it has loses the member, as in a client that does not know it.
  case omit(member: String, of: RecordReference)
  /// `a plain client drops the items of A's last log`: what it has loses its items.
  case dropItems(of: RecordReference)
  /// `a plain client pushes A's last log`: it sends what it has, based on the version that it read.
  case push(RecordReference)
  /// `a plain client creates A's last log`: it sends what it has as a new document with the version 1, as a client that knows of
  /// no other.
  case create(RecordReference)
  /// `a plain client merges A's last log`: it merges what it has with the document that its last push met, and counts on from
  /// the greater of both versions.
  case merge(RecordReference)

  /// The values of its sentence by the labels of the slots.
  var values: SlotValues {
    switch self {
    case .set(let member, let record, let value):
      ["name": .name(member), "record": .record(record), "value": .value(value)]
    case .omit(let member, let record): ["name": .name(member), "record": .record(record)]
    default: ["record": .record(record)]
    }
  }

  /// The record that the line names.
  package var record: RecordReference {
    switch self {
    case .read(let record), .set(_, let record, _), .omit(_, let record), .dropItems(let record), .push(let record),
      .create(let record), .merge(let record):
      record
    }
  }
}
