import ZoneKitRecords

/// What a zone's header says of the shares in the zone.
package struct ZoneSharing: Hashable, Sendable {
  /// A share record of the zone.
  package struct Entry: Hashable, Sendable {
    /// The share record.
    package var share: Name
    /// The record that is shared with all below it; nil for the zone.
    package var root: Name?

    /// A share of that record.
    package init(share: Name, root: Name?) {
      self.share = share
      self.root = root
    }
  }

  /// The share records, in ascending order of their names.
  package var entries: [Entry]
  /// The sequence from which on the tokens of participants are valid: the last change after which a participant sees other
  /// records without a change of theirs. In an entry of a shared database it is the sequence of the zone when it was last
  /// listed.
  package var epoch: Int64
  /// The parents that records from before the first share name and that never existed. If one is created, it brings those
  /// records with it. Once a zone has shares, parents have to exist.
  package var missingParents: Set<Name> = []

  /// The shares of a zone.
  package init(entries: [Entry] = [], epoch: Int64 = 0) {
    self.entries = entries
    self.epoch = epoch
  }

  /// The share of that record; nil if there is none.
  package func share(of root: Name) -> Name? { entries.first { $0.root == root }?.share }
}

extension ZoneSharing {
  /// Reads the text of a zone's file; nil if it is none.
  package init?(text: String) {
    guard let json = try? JSON(parsing: Array(text.utf8)), let epoch = json["epoch"]?.integer,
      let list = json["shares"]?.array
    else { return nil }
    let entries = list.compactMap { entry -> Entry? in
      entry["share"]?.string.map { Entry(share: Name($0), root: entry["root"]?.string.map { Name($0) }) }
    }
    self.init(entries: entries, epoch: epoch)
    missingParents = Set((json["missingParents"]?.array ?? []).compactMap(\.string).map { Name($0) })
  }

  /// The text for a zone's file.
  package var text: String {
    let list = entries.map { entry -> JSON in
      JSON(known: ["share": .string(entry.share.text), "root": entry.root.map { .string($0.text) }])
    }
    let missing = missingParents.sorted().map { JSON.string($0.text) }
    let json = JSON(known: [
      "epoch": .integer(epoch), "missingParents": missing.isEmpty ? nil : .array(missing), "shares": .array(list),
    ])
    return String(decoding: json.bytes(), as: UTF8.self)
  }
}
