import ZoneKitRecords

/// The URLs of assets of one database: `{root}/assets/{container}/{environment}/{user}/{scope}/{checksum}`.
///
/// Every client that knows the URL may read the bytes (CloudKit Web Services, a.1 row 24). It has the SHA-256 hash of the bytes, so only
/// those can make it up who have these.
struct AssetLinks {
  /// The first path segment of the URLs of assets.
  static let root = "assets"

  /// The member `"downloadURL":"…/` up to the checksum.
  private let beginning: [UInt8]
  private static let ending = Array("\",".utf8)

  /// The URLs of a server with that URL.
  init(root: String, database: DatabaseID) {
    let names = [database.container.text, database.environment.rawValue, database.user.text, database.scope.rawValue]
    var member: [UInt8] = []
    member.append(literal: "\"downloadURL\":")
    member.appendJSONString(([root, Self.root] + names.map(HTTPPercent.encode)).joined(separator: "/") + "/")
    beginning = member.dropLast()
  }

  /// Appends canonical field text. Each asset gets the member `downloadURL`.
  func append(_ text: Span<UInt8>, to output: inout [UInt8]) {
    var start = 0
    while let place = AssetText.next(in: text, from: start) {
      output.append(copying: text.extracting(start..<place))
      output += beginning
      let checksum = AssetText.checksum(in: text, at: place)
      for index in checksum {
        switch text[index] {
        case UInt8(ascii: "+"): output.append(UInt8(ascii: "-"))
        case UInt8(ascii: "/"): output.append(UInt8(ascii: "_"))
        // An escape is in a damaged text only.
        case UInt8(ascii: "="), UInt8(ascii: "\\"): break
        case let byte: output.append(byte)
        }
      }
      output += Self.ending
      start = place
    }
    output.append(copying: text.extracting(start..<text.count))
  }
}
