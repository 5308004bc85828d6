import ZoneKitRecords

/// The proof that a client has uploaded bytes for a database, which it sends with the record (CloudKit Web Services, b.5).
///
/// The text of a receipt says everything, so a receipt is valid after a restart too. The zone does not count: a client may
/// ask for an upload without one.
package struct AssetReceipt: Hashable, Sendable {
  /// The asset.
  package let asset: Asset
  /// The field that may have the asset; nil for every field of the database.
  package let place: AssetPlace?

  /// A receipt for that field; for every field of the database if `place` is nil.
  package init(_ asset: Asset, for place: AssetPlace?) {
    self.asset = Asset(fileChecksum: asset.fileChecksum, size: asset.size)
    self.place = place
  }

  private init?(_ document: JSON) {
    guard let checksum = document["fileChecksum"]?.string, let size = document["size"]?.integer else { return nil }
    let names = (document["recordName"]?.string, document["fieldName"]?.string)
    let place: AssetPlace? =
      if case (let record?, let field?) = names {
        AssetPlace(recordName: Name(record), fieldName: Name(field))
      } else {
        nil
      }
    self.init(Asset(fileChecksum: checksum, size: size), for: place)
  }

  /// The asset with the text of the receipt, as the answer to an upload has it.
  package func asset(in database: DatabaseID) -> Asset {
    let document = JSON(known: [
      "fileChecksum": .string(asset.fileChecksum), "size": .integer(asset.size),
      "recordName": place.map { .string($0.recordName.text) }, "fieldName": place.map { .string($0.fieldName.text) },
    ])
    var known = asset
    known.receipt = SealedText(document, for: database).text
    return known
  }

  /// The asset of the receipt in a text, if a field of a record may have it. Throws a sentence if it may not.
  static func asset(of text: String, for place: AssetPlace, in database: DatabaseID) throws(EvaluationFailure) -> Asset
  {
    guard let sealed = SealedText(text), let receipt = AssetReceipt(sealed.document) else {
      throw refused(place, "the receipt is unknown; send the dictionary with which the upload was answered")
    }
    guard sealed.belongs(to: database) else {
      throw refused(place, "the receipt is of another account or database; upload the bytes for this one")
    }
    if let meant = receipt.place, meant != place {
      throw refused(place, "the receipt is for field \(meant.fieldName) of record \(meant.recordName)")
    }
    return receipt.asset
  }

  /// The checksum in the text of a receipt; nil if it is none.
  static func checksum(of text: String) -> String? {
    SealedText(text).flatMap { AssetReceipt($0.document) }?.asset.fileChecksum
  }

  /// The failure to save an asset.
  static func refused(_ place: AssetPlace, _ why: String) -> EvaluationFailure {
    .refused(.invalidArguments, "field \(place.fieldName) of record \(place.recordName): \(why)")
  }
}
