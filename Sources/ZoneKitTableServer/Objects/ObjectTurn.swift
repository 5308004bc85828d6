import ZoneKitCloud
import ZoneKitRecords

/// Which bytes of objects may be removed at the end of a turn. Bytes are stored before the transaction that names them and
/// removed after the commit in which the last object that had them went, so that no object is ever without its bytes.
package struct ObjectTurn: Sendable {
  /// The place of bytes: a database keeps the same bytes once.
  package struct Place: Hashable, Sendable {
    /// The SHA-256 hash of the bytes as hexadecimal digits.
    package let hash: String
    /// The database of the account.
    package let database: DatabaseID

    /// The place of those bytes.
    package init(hash: String, database: DatabaseID) {
      self.hash = hash
      self.database = database
    }
  }

  /// The bytes of the uploads that were committed in this turn.
  private var needed: Set<Place> = []
  /// The bytes that no object had any more after a transaction of this turn.
  private var unused: Set<Place> = []

  /// A turn without requests.
  package init() {}

  /// An upload of those bytes was committed.
  package mutating func stored(_ place: Place) { needed.insert(place) }

  /// No object of a database has those bytes any more.
  package mutating func released(_ hashes: some Sequence<String>, in database: DatabaseID) {
    for hash in hashes { unused.insert(Place(hash: hash, database: database)) }
  }

  /// Ends the turn after its commit. Returns the bytes to be removed. An upload of the same bytes in this turn keeps them.
  package mutating func end() -> Set<Place> {
    defer { self = ObjectTurn() }
    return unused.subtracting(needed)
  }
}
