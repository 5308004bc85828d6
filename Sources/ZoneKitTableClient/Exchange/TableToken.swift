import ZoneKitRecords

/// The position of a device in the tables of a zone. Coordinators store it as a change token and do not look inside.
///
/// The text is `t1.` and the base64url of a JSON object: `zone` is the life of the zone, `cursors` has the newest stamp
/// that was received of each table. While a round over several pages is under way, `at` is the table at which it goes
/// on, and `until` the newest stamp that it includes.
package struct TableToken: Hashable, Sendable {
  /// The life of the zone; nil if the service does not tell it.
  package var incarnation: UInt64?
  /// The newest stamp that was received of each table.
  package var cursors: [Name: WallTime]
  /// The table at which the round goes on; nil if none is under way.
  package var table: Name?
  /// The newest stamp that the round includes; nil if none is under way, or the service does not tell it.
  package var until: WallTime?

  /// The position before all rows, or one with those cursors.
  package init(
    incarnation: UInt64? = nil, cursors: [Name: WallTime] = [:], table: Name? = nil, until: WallTime? = nil
  ) {
    self.incarnation = incarnation
    self.cursors = cursors
    self.table = table
    self.until = until
  }

  /// Reads a token; nil if it does not have this form.
  package init?(_ token: ChangeToken) {
    guard token.text.hasPrefix(Self.prefix), let bytes = Base64.decodeFromURL(token.text.dropFirst(Self.prefix.count)),
      let json = try? JSON(parsing: bytes), let members = json["cursors"]?.object
    else { return nil }
    var cursors: [Name: WallTime] = [:]
    for member in members {
      guard let stamp = member.value.integer else { return nil }
      cursors[Name(member.key)] = WallTime(milliseconds: stamp)
    }
    self.init(
      incarnation: json["zone"]?.string.flatMap { UInt64($0, radix: 16) }, cursors: cursors,
      table: json["at"]?.string.map { Name($0) }, until: json["until"]?.integer.map { WallTime(milliseconds: $0) })
  }

  /// The token as coordinators store it.
  package var changeToken: ChangeToken {
    let stamps = cursors.sorted { $0.key < $1.key }.map {
      JSON.Member($0.key.text, .integer($0.value.milliseconds))
    }
    let json: JSON = [
      "zone": incarnation.map { .string(Hexadecimal.text($0)) } ?? .null,
      "at": table.map { .string($0.text) } ?? .null, "until": until.map { .integer($0.milliseconds) } ?? .null,
      "cursors": .object(stamps),
    ]
    return ChangeToken(Self.prefix + Base64.encodeForURL(json.bytes()))
  }

  private static let prefix = "t1."
}
