import ZoneKitCloud
import ZoneKitRecords
import ZoneKitStorage
import ZoneKitTableServer
import ZoneKitTables

/// The objects of an app's accounts as a service. Its transactions are part of the turns of the `ZoneService`. The bytes
/// of an upload are on the disk before its transaction is submitted; bytes that no object has any more are removed after
/// the commit.
final class ObjectService {
  private let server: ObjectServer
  private let zones: ZoneService<CloudFiles>
  private let assets: AssetFiles
  private let now: () -> Moment
  private var turn = ObjectTurn()

  /// The objects of that app, with their bytes in those files.
  init(of app: TableApp, zones: ZoneService<CloudFiles>, assets: AssetFiles, now: @escaping () -> Moment) {
    server = ObjectServer(app: app)
    self.zones = zones
    self.assets = assets
    self.now = now
  }

  /// Takes in an upload. `answer` is called once, in this turn, after the commit. `room` is the number
  /// of bytes that the answer may have. Returns how much of the turn it takes.
  func upload(
    _ content: ObjectContent, _ bytes: [UInt8], to path: String, in bucket: String, replaces: Bool,
    from caller: RowCaller, room: Int, answer: @escaping (ObjectResponse) -> Void
  ) -> TurnCost {
    if let error = server.refusal(
      ofUploadTo: path, in: bucket, size: content.size, contentType: content.contentType, from: caller)
    {
      answer(.refused(error))
      return TurnCost()
    }
    guard let account = ObjectPath(path)?.account else {
      answer(.refused(.path(path)))
      return TurnCost()
    }
    let place = ObjectTurn.Place(hash: content.hash, database: server.app.database(of: account))
    do throws(StoreError) {
      try assets.write(bytes, hash: place.hash, in: place.database)
    } catch {
      answer(.refused(.unavailable("the object cannot be stored: \(error)")))
      return TurnCost()
    }
    let request = ObjectRequest.put(bucket: bucket, path: path, content, replaces: replaces)
    return receive(request, from: caller, room: room) { [self] response in
      if case .object = response { turn.stored(place) }
      answer(response)
    }
  }

  /// Takes in a request. `answer` is called once, in this turn, after the commit. `room` is the number of bytes that the
  /// answer may have. Returns how much of the turn the request takes.
  func receive(
    _ request: ObjectRequest, from caller: RowCaller, room: Int, answer: @escaping (ObjectResponse) -> Void
  ) -> TurnCost {
    let reception = server.receive(request, from: caller, at: now().wall)
    return zones.carryOut(reception, room: room, answer: answer) { [self] result, database in
      let done = server.answer(to: result)
      turn.released(done.unused, in: database)
      answer(done.response)
    }
  }

  /// The bytes of an object. Throws if they cannot be read.
  func bytes(of object: StoredObject) throws(ObjectError) -> [UInt8] {
    guard let account = ObjectPath(object.path)?.account else { throw .notFound }
    do throws(StoreError) {
      if let bytes = try assets.read(object.content.hash, in: server.app.database(of: account)) { return bytes }
    } catch {
      throw .unavailable("the object cannot be read: \(error)")
    }
    throw .unavailable("the bytes of the object are missing")
  }

  /// Takes in, after a commit, the hashes of the bytes that the objects of a database need. The others are removed.
  func keep(_ hashes: Set<String>, in database: DatabaseID) {
    let all = (try? assets.hashes(in: database)) ?? []
    turn.released(all.filter { !hashes.contains($0) }, in: database)
  }

  /// Removes bytes that no object has any more. A file that cannot be removed only takes room.
  func endTurn() {
    for place in turn.end() { try? assets.remove(place.hash, in: place.database) }
  }
}
