import Records

/// Appends records and tombstones as JSON (CloudKit Web Services, b.3 and c.6).
///
/// A record's field text is copied as it is stored; only a client that wants fewer fields or numbers as strings makes the
/// writer look inside.
struct RecordWriter {
  let numbersAsStrings: Bool
  /// The members that end every record of a zone: `,"zoneID":{…}}`.
  private let liveTail: [UInt8]
  private let tombstoneTail: [UInt8]

  init(zoneID: ZoneID, numbersAsStrings: Bool) {
    self.numbersAsStrings = numbersAsStrings
    liveTail = Self.tail(zoneID, withType: true)
    tombstoneTail = Self.tail(zoneID, withType: false)
  }

  func append(_ result: RecordResult, desiredKeys: [Name]?, to output: inout [UInt8]) {
    switch result {
    case .record(let record):
      let page = RecordPage([.saved(record)])
      append(page, desiredKeys: desiredKeys, to: &output)
    case .deleted(let recordName):
      output.append(literal: "{\"recordName\":")
      output.appendJSONString(recordName.text)
      output.append(literal: ",\"deleted\":true")
      output.append(contentsOf: tombstoneTail)
    case .failed(let recordName, let error):
      output.append(UInt8(ascii: "{"))
      if let recordName {
        output.append(literal: "\"recordName\":")
        output.appendJSONString(recordName.text)
        output.append(UInt8(ascii: ","))
      }
      ErrorCodec.appendMembers(error, to: &output)
      output.append(UInt8(ascii: "}"))
    }
  }

  /// Appends all rows of a page, separated by commas.
  func append(_ page: RecordPage, desiredKeys: [Name]?, to output: inout [UInt8]) {
    output.reserveCapacity(output.count + page.bytes.count + page.rows.count * 360)
    let authors = page.authors.map(Self.authorTail)
    for (index, row) in page.rows.enumerated() {
      if index > 0 { output.append(UInt8(ascii: ",")) }
      if row.isDeleted {
        appendTombstone(row, of: page, to: &output)
      } else {
        append(row, of: page, authors: authors, desiredKeys: desiredKeys, to: &output)
      }
    }
  }

  private func append(
    _ row: RecordPage.Row, of page: RecordPage, authors: [[UInt8]], desiredKeys: [Name]?, to output: inout [UInt8]
  ) {
    output.append(literal: "{\"recordName\":")
    output.appendJSONString(utf8: page.bytes[row.name])
    output.append(literal: ",\"recordType\":")
    output.appendJSONString(utf8: page.bytes[row.type])
    output.append(literal: ",\"fields\":")
    if desiredKeys == nil, !numbersAsStrings {
      output.append(contentsOf: page.bytes[row.fields])
    } else {
      FieldTextFilter(desiredKeys: desiredKeys, numbersAsStrings: numbersAsStrings)
        .append(Array(page.bytes[row.fields]), to: &output)
    }
    output.append(literal: ",\"pluginFields\":{},\"recordChangeTag\":\"")
    output.append(contentsOf: page.bytes[row.tag])
    output.append(literal: "\",\"created\":{\"timestamp\":")
    output.appendDecimal(row.createdAt.milliseconds)
    output.append(contentsOf: authors[row.createdBy])
    output.append(literal: ",\"modified\":{\"timestamp\":")
    output.appendDecimal(row.modifiedAt.milliseconds)
    output.append(contentsOf: authors[row.modifiedBy])
    if !row.parent.isEmpty {
      output.append(literal: ",\"parent\":{\"recordName\":")
      output.appendJSONString(utf8: page.bytes[row.parent])
      output.append(UInt8(ascii: "}"))
    }
    output.append(literal: ",\"deleted\":false")
    output.append(contentsOf: liveTail)
  }

  private func appendTombstone(_ row: RecordPage.Row, of page: RecordPage, to output: inout [UInt8]) {
    output.append(literal: "{\"recordName\":")
    output.appendJSONString(utf8: page.bytes[row.name])
    output.append(literal: ",\"recordType\":null,\"deleted\":true,\"recordChangeTag\":\"")
    output.append(contentsOf: page.bytes[row.tag])
    output.append(UInt8(ascii: "\""))
    output.append(contentsOf: tombstoneTail)
  }

  private static func tail(_ zoneID: ZoneID, withType: Bool) -> [UInt8] {
    var tail: [UInt8] = []
    tail.append(literal: ",\"zoneID\":")
    ZoneWriter.append(zoneID, withType: withType, to: &tail)
    tail.append(UInt8(ascii: "}"))
    return tail
  }

  /// The members of `created` and `modified` behind the time stamp.
  private static func authorTail(_ author: Author) -> [UInt8] {
    var tail: [UInt8] = []
    tail.append(literal: ",\"userRecordName\":")
    tail.appendJSONString(author.userRecordName.text)
    tail.append(literal: ",\"deviceID\":")
    tail.appendJSONString(author.deviceID)
    tail.append(UInt8(ascii: "}"))
    return tail
  }
}
