import ZoneKitCloud
import ZoneKitRecords
import ZoneKitTableClient
import ZoneKitTableServer
import ZoneKitTables

/// The objects of a simulated cloud, and the bytes on its disk, which are only known by their hash.
package struct SimulatedObjects {
  /// The objects.
  let server: ObjectServer
  /// The requests of this turn, by ticket.
  var requests: [Ticket: SimulatedTables.Waiting] = [:]
  private var bytes: Set<ObjectTurn.Place> = []
  private var turn = ObjectTurn()

  /// The objects of that app, of which there are none yet.
  init(_ app: TableApp) { server = ObjectServer(app: app) }

  private var bucket: String { server.app.bucket?.name ?? "" }

  /// What is to be done for a transfer of a caller. The bytes of an upload are on the disk first.
  mutating func receive(_ transfer: PhotoTransfer, from caller: RowCaller, at now: WallTime) -> TransactionReception<
    ObjectResponse
  > {
    switch transfer {
    case .download(_, let path): return server.receive(.find(bucket: bucket, path: path), from: caller, at: now)
    case .upload(_, let photo, let path):
      let content = ObjectContent(
        hash: SimulatedPhotos.hash(of: photo.name), size: photo.size, contentType: photo.mediaType)
      if let error = server.refusal(
        ofUploadTo: path, in: bucket, size: content.size, contentType: content.contentType, from: caller)
      {
        return .answer(.refused(error))
      }
      if let place = place(content.hash, path) { bytes.insert(place) }
      return server.receive(.put(bucket: bucket, path: path, content, replaces: true), from: caller, at: now)
    }
  }

  /// The answer to a transfer whose transaction has that result.
  mutating func answer(to transfer: PhotoTransfer, _ result: TransactionResult) -> ObjectResponse {
    let answer = server.answer(to: result)
    if let place = place("", transfer.path) { turn.released(answer.unused, in: place.database) }
    if case .upload = transfer, case .object(let object) = answer.response,
      let place = place(object.content.hash, transfer.path)
    {
      turn.stored(place)
    }
    return answer.response
  }

  /// What the device gets for a transfer with that answer.
  func outcome(of transfer: PhotoTransfer, _ response: ObjectResponse) -> ObjectOutcome {
    switch (transfer, response) {
    case (_, .refused(let error)): return .refused(error.asRefusal)
    case (.download, .object(let object)):
      guard place(object.content.hash, transfer.path).map({ bytes.contains($0) }) == true else {
        return .refused(ObjectError.unavailable("the bytes of the object are missing").asRefusal)
      }
      return .received(hash: object.content.hash)
    case (.upload, .object): return .stored
    case (_, .removed), (_, .listed), (_, .signable): return .failed("the answer is of another kind")
    }
  }

  /// Whether the bytes of an object are on the disk.
  func hasBytes(of object: StoredObject) -> Bool {
    place(object.content.hash, object.path).map { bytes.contains($0) } ?? false
  }

  /// Makes bytes useless, which are then served no more than missing ones. Returns false if they are not there.
  mutating func damage(_ hash: String, of account: UUID) -> Bool {
    bytes.remove(ObjectTurn.Place(hash: hash, database: server.app.database(of: account))) != nil
  }

  /// Removes the bytes that no object has any more, after the commit.
  mutating func endTurn() { bytes.subtract(turn.end()) }

  /// Ends the process. Returns the requests without an answer.
  mutating func die() -> [(Ticket, SimulatedTables.Waiting)] {
    let lost = Array(requests)
    (requests, turn) = ([:], ObjectTurn())
    return lost.map { ($0.key, $0.value) }
  }

  private func place(_ hash: String, _ path: String) -> ObjectTurn.Place? {
    ObjectPath(path).map { ObjectTurn.Place(hash: hash, database: server.app.database(of: $0.account)) }
  }
}
