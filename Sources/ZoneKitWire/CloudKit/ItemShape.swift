import ZoneKitRecords

/// How a client wants one item of an answer written.
package struct ItemShape: Hashable, Sendable {
  /// The fields to return; nil for all (CloudKit Web Services, c.1).
  package var desiredKeys: Set<Name>?
  /// Whether INT64, DOUBLE and TIMESTAMP values are written as strings (CloudKit Web Services, c.4).
  package var numbersAsStrings: Bool

  /// Those fields, numbers as numbers unless said otherwise.
  package init(desiredKeys: Set<Name>? = nil, numbersAsStrings: Bool = false) {
    self.desiredKeys = desiredKeys
    self.numbersAsStrings = numbersAsStrings
  }

  /// Everything, as it is stored.
  package static let whole = ItemShape()

  /// Whether a stored field text can go out as it is.
  var isWhole: Bool { desiredKeys == nil && !numbersAsStrings }

  /// What an object asks for; where it is silent, what was asked for around it. One page of the documents spells
  /// `numberAsStrings` (CloudKit Web Services, i.11).
  init(_ json: JSON, within outer: ItemShape) throws(MemberError) {
    self = outer
    if let names = try json.optionalStrings("desiredKeys") { desiredKeys = Set(names.map { Name($0) }) }
    if let isWanted = try json.optionalBool("numberAsStrings") { numbersAsStrings = isWanted }
    if let isWanted = try json.optionalBool("numbersAsStrings") { numbersAsStrings = isWanted }
  }
}
