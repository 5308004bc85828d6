import ZoneKitRecords

/// The records of the same zone that a record's content requires: its parent, and the targets of its references.
package enum ReferenceTargets {
  private static let marker = Array("\"recordName\":\"".utf8)
  private static let weakAction = Array("\"NONE\",".utf8)
  private static let zoneMarker = Array("\"zoneID\":{".utf8)

  /// The names of those records. A reference without an action may point to a missing record and does not count. Text
  /// that cannot be read has no references.
  ///
  /// It searches the canonical text for the only spelling of a reference, so that a record without references is
  /// scanned once and nothing is decoded. A quote inside a text is escaped there and does not match.
  package static func names(in content: RecordContent, of recordID: RecordID) -> [Name] {
    var found = scan(content.fields.utf8) ?? decoded(content.fields, zoneID: recordID.zoneID)
    if let parent = content.parent, !found.contains(parent) { found.append(parent) }
    return found.isEmpty ? found : found.filter { $0 != recordID.recordName }
  }

  /// The names found by scanning; nil if decoding is necessary, because of an escape in a name or a reference with a
  /// zone.
  private static func scan(_ utf8: [UInt8]) -> [Name]? {
    var names: [Name] = []
    var index = 0
    while let start = next(marker, in: utf8, from: index) {
      let text = utf8[start...].prefix { $0 != UInt8(ascii: "\"") }
      guard !text.contains(UInt8(ascii: "\\")) else { return nil }
      index = text.endIndex
      if !utf8[..<(start - marker.count)].ends(with: weakAction) {
        names.append(Name(String(decoding: text, as: UTF8.self)))
      }
    }
    return names.isEmpty || next(zoneMarker, in: utf8, from: 0) == nil ? names : nil
  }

  /// The index after the next occurrence of `marker`.
  private static func next(_ marker: [UInt8], in utf8: [UInt8], from start: Int) -> Int? {
    let text = utf8.span
    let wanted = marker.span
    // A text is full of quotes and small letters, so a capital one is looked for.
    let letter = marker.firstIndex { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 } ?? 0
    var index = start + letter
    while index < text.count - (marker.count - letter - 1) {
      if text[index] == wanted[letter] {
        let beginning = index - letter
        if text.extracting(beginning..<beginning + marker.count).isEqual(to: wanted) { return beginning + marker.count }
      }
      index += 1
    }
    return nil
  }

  private static func decoded(_ fields: EncodedFields, zoneID: ZoneID) -> [Name] {
    guard let fields = try? fields.decoded() else { return [] }
    return fields.sorted.flatMap(\.value.references)
      .filter { $0.action != .none && ($0.zoneID.map { $0.zoneName == zoneID.zoneName } ?? true) }.map(\.recordName)
  }
}

extension ArraySlice<UInt8> {
  fileprivate func ends(with bytes: [UInt8]) -> Bool { suffix(bytes.count).elementsEqual(bytes) }
}
