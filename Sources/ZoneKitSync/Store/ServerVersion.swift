import ZoneKitRecords

/// The version of a record that the device last saw in the cloud. It is the common ancestor of a later conflict.
public struct ServerVersion: Hashable, Sendable {
  /// The record's content there.
  public var content: RecordContent
  /// The version's change tag, which the next save or deletion has to name.
  public var changeTag: ChangeTag
  /// Who saved it, and when, by the cloud's clock.
  public var modified: Authorship

  /// A version with that tag.
  public init(content: RecordContent, changeTag: ChangeTag, modified: Authorship) {
    self.content = content
    self.changeTag = changeTag
    self.modified = modified
  }

  /// The version of a record from the cloud.
  public init(_ record: Record) {
    self.init(
      content: RecordContent(fields: record.fields, parent: record.parent), changeTag: record.changeTag,
      modified: record.modified)
  }
}
