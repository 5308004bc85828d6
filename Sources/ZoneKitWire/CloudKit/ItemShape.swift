import ZoneKitRecords

/// The form in which a client wants an item of an answer.
package struct ItemShape: Hashable, Sendable {
  /// The fields to return; nil for all (CloudKit Web Services, c.1).
  package var desiredKeys: Set<Name>?
  /// Whether INT64, DOUBLE and TIMESTAMP values are written as strings (CloudKit Web Services, c.4).
  package var numbersAsStrings: Bool

  /// A form; by default all fields, and numbers as numbers.
  package init(desiredKeys: Set<Name>? = nil, numbersAsStrings: Bool = false) {
    self.desiredKeys = desiredKeys
    self.numbersAsStrings = numbersAsStrings
  }

  /// All fields, as they are stored.
  package static let whole = ItemShape()

  /// Whether a stored field text can be written unchanged.
  var isWhole: Bool { desiredKeys == nil && !numbersAsStrings }

  /// The form that an object requests. What it does not mention is taken from `outer`. One page of the documentation
  /// has the spelling `numberAsStrings` (CloudKit Web Services, i.11).
  init(_ json: JSON, within outer: ItemShape) throws(MemberError) {
    self = outer
    if let names = try json.optionalStrings("desiredKeys") { desiredKeys = Set(names.map { Name($0) }) }
    if let isWanted = try json.optionalBool("numberAsStrings") { numbersAsStrings = isWanted }
    if let isWanted = try json.optionalBool("numbersAsStrings") { numbersAsStrings = isWanted }
  }
}
