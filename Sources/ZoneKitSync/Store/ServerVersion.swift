import ZoneKitRecords

/// The version of a record that the device last saw on the cloud: the common ancestor of a later conflict.
public struct ServerVersion: Hashable, Sendable {
  /// The record's content there.
  public var content: RecordContent
  /// The version's tag, which the next save or delete has to name.
  public var changeTag: ChangeTag
  /// Who saved it, and when, by the cloud's clock.
  public var modified: Authorship

  /// The version of that tag.
  public init(content: RecordContent, changeTag: ChangeTag, modified: Authorship) {
    self.content = content
    self.changeTag = changeTag
    self.modified = modified
  }

  /// The version that a record from the cloud stands for.
  public init(_ record: Record) {
    self.init(
      content: RecordContent(fields: record.fields, parent: record.parent), changeTag: record.changeTag,
      modified: record.modified)
  }
}
