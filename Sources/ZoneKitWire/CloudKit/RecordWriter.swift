import ZoneKitRecords

/// Appends records and tombstones of one zone as JSON (CloudKit Web Services, b.3 and c.6).
///
/// The stored field text of a record is copied, and URLs are put into assets. It is parsed only if a client wants fewer fields or numbers as strings.
/// What is the same for all records of a zone is made once.
struct RecordWriter {
  /// The end of a live record: `,"deleted":false,"zoneID":{…}}`.
  private let liveTail: [UInt8]
  /// The end of a tombstone: `,"zoneID":{…}}`.
  private let tombstoneTail: [UInt8]
  private let assets: AssetLinks

  /// Writes what a share record says.
  private let shares: ShareMembers

  init(zoneID: ZoneID, zones: ZoneWriter) {
    assets = zones.assets(of: zoneID)
    shares = ShareMembers(zoneID: zoneID, zones: zones)
    var live: [UInt8] = []
    live.append(literal: ",\"deleted\":false,\"zoneID\":")
    zones.append(zoneID, withType: true, to: &live)
    live.append(UInt8(ascii: "}"))
    var tombstone: [UInt8] = []
    tombstone.append(literal: ",\"zoneID\":")
    zones.append(zoneID, withType: false, to: &tombstone)
    tombstone.append(UInt8(ascii: "}"))
    (liveTail, tombstoneTail) = (live, tombstone)
  }

  /// The approximate size of a record without its own content, in bytes.
  var room: Int { 360 + liveTail.count }

  // MARK: Results

  func append(_ result: RecordResult, as shape: ItemShape, to output: inout [UInt8]) {
    switch result {
    // CloudKit has no result of its own for a version that the cloud kept.
    case .record(let record), .kept(let record): append(record, as: shape, to: &output)
    case .deleted(let recordName, let changeTag):
      output.append(literal: "{\"recordName\":")
      output.appendJSONString(recordName.text)
      if let changeTag {
        output.append(literal: ",\"recordChangeTag\":")
        output.appendJSONString(changeTag.text)
      }
      output.append(literal: ",\"deleted\":true")
      output.append(contentsOf: tombstoneTail)
    case .failed(let recordName, let error):
      // Clients need all three strings (CloudKit Web Services, d.2), so an empty name is written as "" and not left
      // out.
      output.append(literal: "{\"recordName\":")
      output.appendJSONString((recordName?.text ?? "").errorText)
      output.append(UInt8(ascii: ","))
      ErrorCodec.appendMembers(error, to: &output)
      output.append(UInt8(ascii: "}"))
    }
  }

  func append(_ record: Record, as shape: ItemShape, to output: inout [UInt8]) {
    let share = shares.content(of: record.fields.utf8.span)
    appendStart(name: record.recordName.text.utf8.span, type: record.recordType.text.utf8.span, to: &output)
    let fields = share?.fields ?? record.fields
    append(fields: fields.utf8.span, tag: record.changeTag.text.utf8.span, as: shape, to: &output)
    output.appendDecimal(record.created.at.milliseconds)
    output.append(contentsOf: Self.tail(of: record.created.author, then: Self.modified))
    output.appendDecimal(record.modified.at.milliseconds)
    output.append(contentsOf: Self.tail(of: record.modified.author))
    if let parent = record.parent { append(parent: parent.text.utf8.span, to: &output) }
    if let share = record.share { shares.append(reference: share.text.utf8.span, to: &output) }
    if let share { shares.append(share.content, named: record.recordName, to: &output) }
    output.append(contentsOf: liveTail)
  }

  // MARK: Pages

  /// Appends all rows of a page, separated by commas.
  func append(_ page: RecordPage, as shape: ItemShape, to output: inout [UInt8]) {
    let bytes = page.bytes
    let createdTails = page.authors.map { Self.tail(of: $0, then: Self.modified) }
    let modifiedTails = page.authors.map { Self.tail(of: $0) }
    var isFirst = true
    for row in page.rows {
      if !isFirst { output.append(UInt8(ascii: ",")) }
      isFirst = false
      guard !row.isDeleted else {
        appendTombstone(name: bytes.span.extracting(row.name), tag: bytes.span.extracting(row.tag), to: &output)
        continue
      }
      appendStart(name: bytes.span.extracting(row.name), type: bytes.span.extracting(row.type), to: &output)
      let share = shares.content(of: bytes.span.extracting(row.fields))
      if let share {
        append(fields: share.fields.utf8.span, tag: bytes.span.extracting(row.tag), as: shape, to: &output)
      } else {
        append(
          fields: bytes.span.extracting(row.fields), tag: bytes.span.extracting(row.tag), as: shape, to: &output)
      }
      output.appendDecimal(row.createdAt.milliseconds)
      output.append(contentsOf: createdTails[row.createdBy])
      output.appendDecimal(row.modifiedAt.milliseconds)
      output.append(contentsOf: modifiedTails[row.modifiedBy])
      if !row.parent.isEmpty { append(parent: bytes.span.extracting(row.parent), to: &output) }
      if !row.share.isEmpty { shares.append(reference: bytes.span.extracting(row.share), to: &output) }
      if let share { shares.append(share.content, named: Name(page.text(row.name)), to: &output) }
      output.append(contentsOf: liveTail)
    }
  }

  /// `recordType` is null, which marks a tombstone for clients (CloudKit Web Services, c.6).
  private func appendTombstone(name: Span<UInt8>, tag: Span<UInt8>, to output: inout [UInt8]) {
    output.append(literal: "{\"recordName\":")
    output.appendJSONString(utf8: name)
    output.append(literal: ",\"recordType\":null,\"deleted\":true,\"recordChangeTag\":")
    output.appendJSONString(utf8: tag)
    output.append(contentsOf: tombstoneTail)
  }

  // MARK: Parts of a live record

  private func appendStart(name: Span<UInt8>, type: Span<UInt8>, to output: inout [UInt8]) {
    output.append(literal: "{\"recordName\":")
    output.appendJSONString(utf8: name)
    output.append(literal: ",\"recordType\":")
    output.appendJSONString(utf8: type)
    output.append(literal: ",\"fields\":")
  }

  private func append(
    fields: Span<UInt8>, tag: Span<UInt8>, as shape: ItemShape, to output: inout [UInt8]
  ) {
    if shape.isWhole {
      assets.append(fields, to: &output)
    } else {
      var text: [UInt8] = []
      FieldTextFilter(shape: shape).append(fields, to: &text)
      assets.append(text.span, to: &output)
    }
    output.append(literal: ",\"pluginFields\":{},\"recordChangeTag\":")
    output.appendJSONString(utf8: tag)
    output.append(literal: ",\"created\":{\"timestamp\":")
  }

  private func append(parent: Span<UInt8>, to output: inout [UInt8]) {
    output.append(literal: ",\"parent\":{\"recordName\":")
    output.appendJSONString(utf8: parent)
    output.append(UInt8(ascii: "}"))
  }

  private static var modified: String { ",\"modified\":{\"timestamp\":" }

  /// The rest of `created` or `modified` after the time stamp, and what follows. Clients ignore the block unless all
  /// three members are present (CloudKit Web Services, b.3).
  private static func tail(of author: Author, then next: String = "") -> [UInt8] {
    var tail: [UInt8] = []
    tail.append(literal: ",\"userRecordName\":")
    tail.appendJSONString(author.userRecordName.text)
    tail.append(literal: ",\"deviceID\":")
    tail.appendJSONString(author.deviceID)
    tail.append(UInt8(ascii: "}"))
    tail.append(literal: next)
    return tail
  }
}
