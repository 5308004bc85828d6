import ZoneKitRecords

/// A member of a document or of an item: a named value with a range.
package struct DocumentMember: Hashable, Sendable {
  /// The values that a member can have.
  package enum Kind: Hashable, Sendable {
    /// A text with a number of Unicode scalars in that range; a STRING.
    case text(ClosedRange<Int>)
    /// A calendar day from 1970 to 2199 as `YYYY-MM-DD`; a STRING.
    case day
    /// A time from 1970 to 2199 in whole milliseconds; a TIMESTAMP.
    case time
    /// An integer in that range; an INT64.
    case integer(ClosedRange<Int64>)
    /// A number in that range; a DOUBLE.
    case number(ClosedRange<Double>)
    /// True or false; an INT64 of 1 or 0.
    case boolean
    /// One of these words; a STRING.
    case choice([String])
    /// The ID of a document; a STRING.
    case documentID
    /// Items with IDs, which merge one by one; a STRING_LIST of canonical JSON objects, ascending by ID.
    case items(DocumentItems)

    /// The range of all numbers.
    static let anyNumber = -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
  }

  /// The member's name, which is also that of the record's field.
  package var name: Name
  /// The values it can have.
  package var kind: Kind
  /// Whether it may be absent.
  package var isOptional: Bool
  /// The value if a document that is sent lacks it; nil for none.
  package var defaultValue: FieldValue?

  /// A member that has to be there.
  package init(_ name: Name, _ kind: Kind, isOptional: Bool = false, default value: FieldValue? = nil) {
    self.name = name
    self.kind = kind
    self.isOptional = isOptional
    defaultValue = value
  }

  /// Whether a stored document or item can be without it.
  package var canLack: Bool { isOptional || defaultValue != nil }

  /// What the items are; nil if the member has none.
  package var items: DocumentItems? { if case .items(let items) = kind { items } else { nil } }
}
