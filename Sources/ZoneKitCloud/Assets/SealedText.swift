import ZoneKitRecords

/// A JSON document that a cloud makes for a database and gives out as an opaque text, such as a receipt. It shows that a cloud
/// has made it, and for which database: the document, a hash of it, and a hash of all that and the database.
///
/// The hashes detect accidents and mistaken identities, and not forgery. They are safe in URLs.
struct SealedText {
  /// The length of both hashes in bytes.
  private static let sealLength = 16

  /// The document.
  let document: JSON
  private let body: [UInt8]
  private let seal: [UInt8]

  /// A document for a database.
  init(_ document: JSON, for database: DatabaseID) {
    self.document = document
    body = document.bytes()
    let beginning = Fingerprint.of(body)
    seal = beginning + Self.ending(body, database)
  }

  /// The document in a text; nil if no cloud has made it.
  init?(_ text: String) {
    guard let bytes = Base64.decodeFromURL(text), bytes.count > Self.sealLength else { return nil }
    body = Array(bytes.dropLast(Self.sealLength))
    seal = Array(bytes.suffix(Self.sealLength))
    guard Array(seal[..<8]) == Fingerprint.of(body), let document = try? JSON(parsing: body) else { return nil }
    self.document = document
  }

  /// The text.
  var text: String { Base64.encodeForURL(body + seal) }

  /// Whether the text was made for that database.
  func belongs(to database: DatabaseID) -> Bool { Array(seal[8...]) == Self.ending(body, database) }

  private static func ending(_ body: [UInt8], _ database: DatabaseID) -> [UInt8] {
    // A zero separates the texts.
    let texts = [database.container.text, database.environment.rawValue, database.user.text, database.scope.rawValue]
    return Fingerprint.of(body + texts.flatMap { [0] + Array($0.utf8) })
  }
}
