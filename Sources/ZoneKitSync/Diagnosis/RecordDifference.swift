import ZoneKitRecords

/// A record that is not equal on two devices and in the cloud.
package struct RecordDifference: Hashable, Sendable {
  /// The version of one device or of the cloud: for each differing field its value as a short text, nil if it has no
  /// such field.
  package typealias Side = [String?]

  /// The record's zone.
  package var zoneName: Name
  /// The record's name.
  package var recordName: Name
  /// The record's type; nil if only tombstones remain.
  package var recordType: Name?
  /// The fields that differ among the versions, in ascending order. `(parent)` is the record's parent. A field whose text is
  /// JSON is named by its members, such as `items["Apple"].unit`.
  package var fields: [Name]
  /// The first device's version; nil if it does not have the record.
  package var first: Side?
  /// The second device's version; nil if it does not have the record.
  package var second: Side?
  /// The cloud's version; nil if it does not have the record.
  package var cloud: Side?
  /// The reasons, one sentence for each device that differs from the cloud.
  package var reasons: [String]

  /// The ID of the record, in a zone of the user's own.
  package var recordID: RecordID { RecordID(recordName: recordName, zoneID: ZoneID(zoneName: zoneName)) }

  /// The name for the parent among the fields. No field can have it.
  package static let parentField: Name = "(parent)"
  /// The most characters of a value in a short text.
  package static let valueLimit = 60

  /// The difference; nil if all three are equal. Throws if a record's text is damaged.
  package init?(
    of recordID: RecordID, type: Name?, first: RecordContent?, second: RecordContent?, cloud: RecordContent?
  ) throws(StoreError) {
    guard first != second || second != cloud else { return nil }
    let sides = try [first, second, cloud].map { (content) throws(StoreError) in try content.map(Self.values) }
    let there = sides.compactMap { $0 }
    let fields = Self.differing(there)
    zoneName = recordID.zoneID.zoneName
    recordName = recordID.recordName
    recordType = type
    self.fields = fields
    (self.first, self.second, self.cloud) = (
      sides[0].map { Self.side($0, of: fields) }, sides[1].map { Self.side($0, of: fields) },
      sides[2].map { Self.side($0, of: fields) }
    )
    reasons = []
  }

  private struct Value {
    var name: Name
    /// Whether the value is also there in parts.
    var isWhole = false
    /// The field's value as it is stored.
    var text: String
    var short: String
  }

  private static func values(of content: RecordContent) throws(StoreError) -> [Value] {
    var values = try content.fields.decoded().sorted.flatMap { field -> [Value] in
      if let structured = StructuredField(field) {
        let parts = structured.parts.map { Value(name: Name($0.path), text: $0.value, short: cut($0.value)) }
        return [value(of: field, isWhole: true)] + parts
      }
      return [value(of: field)]
    }
    if let parent = content.parent { values.append(Value(name: parentField, text: parent.text, short: parent.text)) }
    return values
  }

  private static func value(of field: Field, isWhole: Bool = false) -> Value {
    var bytes: [UInt8] = []
    bytes.append(field)
    return Value(
      name: field.name, isWhole: isWhole, text: String(decoding: bytes, as: UTF8.self), short: short(field.value))
  }

  /// The names of the values that differ, in ascending order: the parts of a structured field, and the whole field only if
  /// no part differs.
  private static func differing(_ sides: [[Value]]) -> [Name] {
    func names(isWhole: Bool) -> [Name] {
      let all = Set(sides.joined().filter { $0.isWhole == isWhole }.map(\.name))
      return all.filter { !isAlike($0, in: sides) }.sorted()
    }
    let parts = names(isWhole: false)
    let wholes = names(isWhole: true).filter { whole in
      !parts.contains { $0.text.hasPrefix("\(whole)[") || $0.text.hasPrefix("\(whole).") }
    }
    return (parts + wholes).sorted()
  }

  private static func isAlike(_ name: Name, in sides: [[Value]]) -> Bool {
    let texts = sides.map { side in side.first { $0.name == name }.map { Array($0.text.utf8) } }
    return texts.allSatisfy { $0 == texts[0] }
  }

  private static func side(_ values: [Value], of fields: [Name]) -> Side {
    fields.map { field in values.first { $0.name == field }?.short }
  }

  /// A value as a short text: readable dates, the number of bytes, and long texts cut.
  package static func short(_ value: FieldValue) -> String {
    switch value {
    case .timestamp(let time): return time.iso8601
    case .bytes(let bytes), .encryptedBytes(let bytes): return "\(bytes.count) bytes"
    case .reference(let reference): return "-> \(reference.recordName)"
    case .string(let text): return cut(text)
    default:
      var bytes: [UInt8] = []
      bytes.append(value)
      return cut(String(decoding: bytes, as: UTF8.self))
    }
  }

  private static func cut(_ text: String) -> String {
    text.count > valueLimit ? text.prefix(valueLimit - 1) + "…" : text
  }
}
