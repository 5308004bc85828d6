import ZoneKitRecords

/// The changes of a row that the server accepted last: of each of the last devices the newest revision, with a hash of what
/// was sent. With it a repeat is recognized. A device that was restored from an old copy counts its revisions anew, so the
/// revision alone does not make a repeat.
package struct AppliedChanges: Hashable, Sendable {
  /// The field of a row's record that holds them. It is no column.
  package static let field: Name = "zkApplied"
  /// The most devices.
  package static let deviceLimit = 8

  /// An accepted change.
  private struct Change: Hashable {
    var author: RowRevision
    var hash: UInt64
  }

  /// The changes, newest first.
  private var changes: [Change] = []

  /// No changes.
  package init() {}

  /// Reads the text that `text` made. What cannot be read is left out.
  package init(_ text: String) {
    changes = text.utf8.split(separator: UInt8(ascii: "\n")).compactMap { line in
      guard let end = line.lastIndex(of: UInt8(ascii: " ")),
        let hash = UInt64(Substring(line[line.index(after: end)...]), radix: 16),
        let author = RowRevision(String(Substring(line[..<end])))
      else { return nil }
      return Change(author: author, hash: hash)
    }
  }

  /// The changes as text, a line for each.
  package var text: String {
    changes.map { "\($0.author.text) \(String($0.hash, radix: 16))" }.joined(separator: "\n")
  }

  /// Whether there are none.
  package var isEmpty: Bool { changes.isEmpty }

  /// Whether that revision with that content was accepted and is its device's newest.
  package func has(_ author: RowRevision, hash: UInt64) -> Bool { changes.contains(Change(author: author, hash: hash)) }

  /// Whether a later revision of the same device was accepted.
  package func hasLater(than author: RowRevision) -> Bool {
    changes.contains { $0.author.deviceID == author.deviceID && $0.author.revision > author.revision }
  }

  /// Adds an accepted change. The oldest one is forgotten beyond the limit of devices.
  package mutating func add(_ author: RowRevision, hash: UInt64) {
    changes.removeAll { $0.author.deviceID == author.deviceID }
    changes.insert(Change(author: author, hash: hash), at: 0)
    if changes.count > Self.deviceLimit { changes.removeLast() }
  }

  // MARK: The column changed_by

  /// The device ID under which a version with that author is stored. A text that is not a device and its revision is
  /// marked by a colon before it, so that it cannot be taken for a device.
  package static func deviceID(of changedBy: String?) -> String {
    guard let changedBy else { return Author.unnamedDevice }
    return RowRevision(changedBy)?.deviceID ?? ":" + changedBy
  }

  /// The column `changed_by` of a version that was stored under that device ID.
  func changedBy(deviceID: String) -> String? {
    if deviceID == Author.unnamedDevice { return nil }
    if deviceID.utf8.first == UInt8(ascii: ":") { return String(deviceID.dropFirst()) }
    // The version's own change is the newest of its device.
    return changes.first { $0.author.deviceID == deviceID }?.author.text ?? deviceID
  }
}
