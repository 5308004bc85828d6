import ZoneKitRecords

extension DeviceApp {
  /// A record before and after a command of a user.
  package struct Change: Sendable {
    /// The ID of the record.
    package var id: RecordID
    /// Its content before; nil if there was none.
    package var before: RecordContent?
    /// Its content after; nil if there is none.
    package var after: RecordContent?

    /// A change of that record.
    package init(_ id: RecordID, from before: RecordContent?, to after: RecordContent?) {
      self.id = id
      self.before = before
      self.after = after
    }

    /// Whether the record was there before and is there after.
    package var isEdit: Bool { before != nil && after != nil }
    /// Whether the command made the record.
    package var isNew: Bool { before == nil && after != nil }

    /// The fields before; none if there was no record.
    package var oldFields: Fields { (try? before?.fields.decoded()) ?? Fields() }
    /// The fields after; none if there is no record.
    package var newFields: Fields { (try? after?.fields.decoded()) ?? Fields() }

    /// The names of the fields that differ.
    package var fields: Set<Name> {
      let (old, new) = (oldFields, newFields)
      return Set((old.sorted + new.sorted).map(\.name).filter { old[$0] != new[$0] })
    }

    /// A sentence if other fields than those differ; nil if none do.
    package func text(unlessOf allowed: Set<Name>) -> String? {
      fields.subtracting(allowed).min().map { name in
        let (old, new) = (oldFields[name], newFields[name])
        return "\(id.words): \(name) is \(new.words), was \(old.words)"
      }
    }
  }
}

extension FieldValue? {
  /// The value for a report of a violation, shortened.
  package var words: String {
    guard let self else { return "none" }
    let text = "\(self)"
    return text.count > 120 ? "\(text.prefix(117))..." : text
  }
}
