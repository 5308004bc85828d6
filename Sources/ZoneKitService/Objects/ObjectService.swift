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
  private let files: ObjectBytes
  private let now: () -> Moment
  private var turn = ObjectTurn()
  /// The errors of the objects that could not be read when they were last asked for.
  private var unreadable: [Name: StoreError] = [:]
  /// The most of these errors that are kept.
  private static let unreadableLimit = 100

  /// The objects of that app, with those bytes.
  init(of app: TableApp, zones: ZoneService<CloudFiles>, bytes: ObjectBytes, now: @escaping () -> Moment) {
    server = ObjectServer(app: app)
    self.zones = zones
    files = bytes
    self.now = now
  }

  /// An upload arrived. `answer` is called once, in this turn, after the commit. `room` is the number of bytes that the
  /// answer may have. Returns how much of the turn it takes.
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
      try files.write(bytes, hash: place.hash, in: place.database)
    } catch {
      answer(.refused(.unavailable("the object cannot be stored: \(error)")))
      return TurnCost()
    }
    let request = ObjectRequest.put(bucket: bucket, path: path, content, replaces: replaces)
    return receive(request, from: caller, room: room) { [self] response in
      if case .object(let object) = response {
        turn.stored(place)
        unreadable[Name(object.path)] = nil
      }
      answer(response)
    }
  }

  /// A request arrived. `answer` is called once, in this turn, after the commit. `room` is the number of bytes that the
  /// answer may have. Returns how much of the turn the request takes.
  func receive(
    _ request: ObjectRequest, from caller: RowCaller, room: Int, answer: @escaping (ObjectResponse) -> Void
  ) -> TurnCost {
    let reception = server.receive(request, from: caller, at: now().wall)
    return zones.carryOut(reception, room: room, answer: answer) { [self] result, database in
      let done = server.answer(to: result)
      if case .removed(let objects) = done.response { for object in objects { unreadable[Name(object.path)] = nil } }
      turn.released(done.unused, in: database)
      answer(done.response)
    }
  }

  /// The bytes of an object. Throws if they cannot be read, or are not those that were uploaded.
  func bytes(of object: StoredObject) throws(ObjectError) -> [UInt8] {
    guard let account = ObjectPath(object.path)?.account else { throw .notFound }
    do throws(StoreError) {
      let found = try files.read(object, in: server.app.database(of: account))
      unreadable[Name(object.path)] = nil
      return found
    } catch {
      if unreadable.count < Self.unreadableLimit || unreadable[Name(object.path)] != nil {
        unreadable[Name(object.path)] = error
      }
      throw .unavailable("the object cannot be read: \(error)")
    }
  }

  /// What is wrong with the objects that could not be read when they were last asked for, in the order of their paths.
  var errors: [StoreError] { unreadable.sorted { $0.key < $1.key }.map(\.value) }

  /// After a commit, the objects of a database need the bytes with those hashes. The others are removed.
  func keep(_ hashes: Set<String>, in database: DatabaseID) {
    let all = (try? files.names(in: database)) ?? []
    turn.released(all.filter { !hashes.contains($0) }, in: database)
  }

  /// Removes bytes that no object has any more. A file that cannot be removed only takes room.
  func endTurn() {
    for place in turn.end() { try? files.remove(place.hash, in: place.database) }
  }
}
