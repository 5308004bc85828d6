import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSync
import ZoneKitTables

/// The photos of persons and groups. A photo waits in the queue until its object is stored; only then the row names it.
enum CoinPhotos {
  /// The column with the path of the object.
  static let column: Name = "photo_url"

  /// The edits that set the photo of a person or group to a path, or remove it if nil. The user's profile gets the photo
  /// of the user's person. A row that is gone or deleted is left alone.
  @Sendable static func edits(
    _ id: RecordID, _ path: String?, _ view: AppView
  ) throws(StoreError) -> [RecordEdit] {
    let me = try Me.id(in: view).map { RowKey([$0]) }
    let isMe = me.map { SwissCoin.recordID("persons", $0) == id } ?? false
    let profile = isMe ? me.map { SwissCoin.recordID("profiles", $0) } : nil
    var edits: [RecordEdit] = []
    for id in [id, profile].compactMap(\.self) {
      guard let record = try view.store.record(id), var row = try CoinRow(record, owner: UUID(high: 0, low: 0)),
        row.isLiving
      else { continue }
      let value = path.map { RowValue.text($0) } ?? .null
      guard row[column] != value else { continue }
      row[column] = value
      edits.append(row.edit(.now))
    }
    return edits
  }

  /// The answer to the wish that a row has that photo, or none if nil.
  static func answer(
    _ photo: QueuedPhoto?, for row: CoinRow, called words: String, in view: AppView
  ) throws(AppRefusal) -> AppAnswer {
    guard SwissCoin.tables.photos?.folders[row.table.name] != nil else {
      throw AppRefusal("\(words) has no photo; persons and groups have one")
    }
    guard row.isLiving else { throw AppRefusal("\(words) is deleted; restore it first") }
    do throws(StoreError) {
      let key = QueuedPhoto.key(of: row.id)
      let queued = try view.values[key]?.text.flatMap { QueuedPhoto($0) }
      let named = try row.photoName(in: view)
      guard let photo else {
        guard row[column] != .null || queued != nil else { return said("\(words) has no photo") }
        let edits = try edits(row.id, nil, view)
        return said("removed the photo of \(words)", row.id, edits, AppValueChange(key, nil))
      }
      let isSame = queued.map { $0.name == photo.name && $0.refusal == nil } ?? (named == photo.name)
      guard !isSame else { return said("\(words) has that photo already", row.id) }
      let text = "photo of \(words): \(photo.size.counted("byte")), \(photo.words)"
      return said(text, row.id, [], AppValueChange(key, .text(photo.text)))
    } catch {
      throw AppRefusal("\(error)")
    }
  }

  private static func said(
    _ text: String, _ id: RecordID? = nil, _ edits: [RecordEdit] = [], _ value: AppValueChange? = nil
  ) -> AppAnswer {
    AppAnswer(
      edits: edits, appValues: value.map { [$0] } ?? [], lines: { [text] },
      members: { view in
        [JSON.Member("said", .string(text))] + (id.map { CoinMembers.rows([$0], in: view) } ?? [])
      })
  }
}

extension CoinRow {
  /// The name of the photo that the row names; nil if it names none of this app's.
  fileprivate func photoName(in view: AppView) throws(StoreError) -> PhotoName? {
    guard let path = self[CoinPhotos.column].text, let account = view.account.flatMap({ UUID($0.text) }) else {
      return nil
    }
    return PhotoName(path: path, of: account)
  }
}
