import ZoneKitRecords

/// The permission to upload an asset once, soon after it was given (CloudKit Web Services, a.1 row 21). Its text says
/// everything.
package struct UploadToken: Hashable, Sendable {
  /// The database that keeps the bytes.
  package let database: DatabaseID
  /// The field that may have the asset.
  package let place: AssetPlace
  /// When the permission was given.
  let issuedAt: WallTime
  /// A random number, by which a used permission is known.
  let number: UInt64

  /// A new permission.
  init(
    for place: AssetPlace, in database: DatabaseID, at now: WallTime, using generator: inout some RandomNumberGenerator
  ) {
    self.database = database
    self.place = place
    issuedAt = now
    number = generator.next()
  }

  /// The permission in a text; nil if no cloud has given it.
  init?(_ text: String) {
    guard let sealed = SealedText(text) else { return nil }
    let document = sealed.document
    func name(_ key: String) -> Name? { document[key]?.string.map { Name($0) } }
    guard let container = name("container"), let user = name("user"), let record = name("recordName"),
      let field = name("fieldName"), let environment = document["environment"]?.string.flatMap(Environment.init),
      let scope = document["scope"]?.string.flatMap(DatabaseScope.init), let time = document["issuedAt"]?.integer,
      let number = document["number"]?.string.flatMap({ UInt64($0, radix: 16) })
    else { return nil }
    database = DatabaseID(container: container, environment: environment, user: user, scope: scope)
    guard sealed.belongs(to: database) else { return nil }
    place = AssetPlace(recordName: record, fieldName: field)
    issuedAt = WallTime(milliseconds: time)
    self.number = number
  }

  /// The text.
  var text: String {
    let members: [JSON.Member] = [
      JSON.Member("recordName", .string(place.recordName.text)),
      JSON.Member("fieldName", .string(place.fieldName.text)),
      JSON.Member("issuedAt", .integer(issuedAt.milliseconds)),
      JSON.Member("number", .string(String(number, radix: 16))),
    ]
    return SealedText(.object(database.members + members), for: database).text
  }
}
