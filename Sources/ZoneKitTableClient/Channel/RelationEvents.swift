import ZoneKitRecords
import ZoneKitRelations
import ZoneKitTables

/// The change events of a user's own tables: which of them a device asks for, and which are about what it wrote itself.
///
/// A row does not name the device that wrote it. So the device remembers the versions that its own writes were answered with.
struct RelationEvents: Sendable {
  /// What an event means.
  enum Event {
    /// The app has no such table.
    case unknownTable
    /// It is about a write of this device.
    case ownEcho(notificationID: String)
    /// The table is fetched for that push.
    case change(PushNotification)
  }

  /// A version of a row, or its deletion.
  private struct Version: Hashable, Sendable {
    var table: String
    var row: String
  }

  private let schema: RelationSchema
  /// The versions that this device wrote, the oldest first, at most `limit`.
  private var written: [Version] = []
  /// The versions whose commit an event told, the oldest first, at most `limit`.
  private var told: [ChangeTag] = []
  /// When versions of rows were committed, as far as events told it.
  private(set) var commits: [ChangeTag: WallTime] = [:]

  /// The most versions that are remembered.
  static let limit = 1_000

  init(_ schema: RelationSchema) { self.schema = schema }

  /// The entries of a join: one for each table whose changes make events.
  var entries: [JSON] {
    schema.tables.filter(\.isPublished).map { ["event": "*", "schema": "public", "table": .string($0.name)] }
  }

  /// A request was answered. What a write was answered with comes as an event too.
  mutating func answered(_ request: RelationRequest, _ outcome: RelationOutcome) {
    guard request.isWrite, case .done(let rows) = outcome, let table = schema.table(request.table) else { return }
    for row in rows {
      guard let fields = try? table.fields(of: row) else { continue }
      let version = if case .delete = request.action { Self.deletion(fields, of: table) } else { Self.tag(fields).text }
      written.append(Version(table: table.name, row: version))
    }
    written = written.suffix(Self.limit)
  }

  private static func tag(_ fields: Fields) -> ChangeTag { RelationSchema.Table.changeTag(of: EncodedFields(fields)) }

  private static func deletion(_ fields: Fields, of table: RelationSchema.Table) -> String {
    "-\(table.recordName(of: fields)?.text ?? "")"
  }

  /// What the event of a change means.
  mutating func event(_ data: JSON, of name: String) -> Event {
    guard let table = schema.table(name) else { return .unknownTable }
    let record = data["record"].flatMap { $0.object?.isEmpty == false ? $0.object : nil }
    let fields = try? table.fields(of: record ?? data["old_record"]?.object ?? [])
    let stamp = data["commit_timestamp"]?.string
    let committedAt = stamp.flatMap { WallTime(iso8601: $0) }
    let key = fields.flatMap { table.recordName(of: $0) }?.text ?? ""
    let id = "\(name)/\(key)@\(stamp ?? "")"
    if let fields {
      let tag = Self.tag(fields)
      if record != nil, let committedAt { note(tag, committedAt) }
      let version = Version(table: name, row: record == nil ? Self.deletion(fields, of: table) : tag.text)
      if let place = written.firstIndex(of: version) {
        written.remove(at: place)
        return .ownEcho(notificationID: id)
      }
    }
    var push = PushNotification(subject: .zone, notificationID: id)
    push.zoneID = table.zoneID
    (push.committedAt, push.sentAt) = (committedAt, committedAt)
    return .change(push)
  }

  private mutating func note(_ tag: ChangeTag, _ committedAt: WallTime) {
    if commits.updateValue(committedAt, forKey: tag) == nil { told.append(tag) }
    if told.count > Self.limit { commits[told.removeFirst()] = nil }
  }
}
