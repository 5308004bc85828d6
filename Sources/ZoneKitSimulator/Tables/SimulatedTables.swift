import ZoneKitCloud
import ZoneKitRecords
import ZoneKitTableClient
import ZoneKitTableServer
import ZoneKitTables
import ZoneKitWire

/// What a simulation knows of a cloud's tables beside the process: the requests in it, its sockets, and the bytes of objects
/// on its disk, which are only known by their hash.
package struct SimulatedTables {
  /// A request of this turn whose answer waits for the commit.
  struct Waiting {
    var visit: World.TableVisit
    /// The messages of a request for rows; nil if it travels as a value.
    var messages: RowMessages?
    /// The messages of a request for rows of a user's own schema; nil for any other.
    var relations: RelationMessages?
  }

  /// The app whose tables these are.
  package let app: TableApp
  /// The texts of rows in messages.
  var kept = KeptRows()
  /// For how long an access token is accepted, in seconds.
  package var tokenLife: Int64 = 3_600
  /// The open sockets, by the server's numbers, and the numbers by socket.
  var sockets: [SocketID: World.Socket] = [:]
  var socketIDs: [World.Socket: SocketID] = [:]
  /// When the channels have something to do next; nil if nothing is due.
  var channelTickAt: MonotonicTime?
  /// The requests of this turn, by ticket.
  var turn: [Ticket: Waiting] = [:]
  /// The number of refresh tokens so far.
  var lastToken = 0
  private var bytes: Set<ObjectTurn.Place> = []

  /// The tables of that app, without requests.
  init(_ app: TableApp) { self.app = app }

  /// The table that a request for rows names.
  func table(of request: RowRequest) -> Table? {
    OwnTable(request.table)?.table ?? app.schema.table(request.table)
  }

  // MARK: Bytes of objects

  /// Bytes are on the disk.
  mutating func keep(_ place: ObjectTurn.Place) { bytes.insert(place) }

  /// Bytes are removed from the disk.
  mutating func remove(_ places: [ObjectTurn.Place]) { bytes.subtract(places) }

  /// The hashes of the bytes of a database.
  func hashes(in database: DatabaseID) -> [String] { bytes.filter { $0.database == database }.map(\.hash).sorted() }

  /// Whether the bytes of an object are on the disk.
  func hasBytes(of object: StoredObject) -> Bool {
    place(object.content.hash, object.path).map { bytes.contains($0) } ?? false
  }

  /// Makes bytes useless, which are then served no more than missing ones. Returns false if they are not there.
  mutating func damage(_ hash: String, of account: UUID) -> Bool {
    bytes.remove(ObjectTurn.Place(hash: hash, database: app.database(of: account))) != nil
  }

  private func place(_ hash: String, _ path: String) -> ObjectTurn.Place? {
    ObjectPath(path).map { ObjectTurn.Place(hash: hash, database: app.database(of: $0.account)) }
  }

  /// The request for objects of a transfer.
  func request(_ transfer: PhotoTransfer) -> ObjectRequest {
    let bucket = app.bucket?.name ?? ""
    switch transfer {
    case .download(_, let path): return .find(bucket: bucket, path: path)
    case .upload(_, let photo, let path):
      let content = ObjectContent(
        hash: SimulatedPhotos.hash(of: photo.name), size: photo.size, contentType: photo.mediaType)
      return .put(bucket: bucket, path: path, content, replaces: true)
    }
  }

  /// What the device gets for a transfer with that answer.
  func outcome(of transfer: PhotoTransfer, _ response: ObjectResponse) -> ObjectOutcome {
    switch (transfer, response) {
    case (_, .refused(let error)): return .refused(error.asRefusal)
    case (.download, .object(let object)):
      guard hasBytes(of: object) else {
        return .refused(ObjectError.unavailable("the bytes of the object are missing").asRefusal)
      }
      return .received(hash: object.content.hash)
    case (.upload, .object): return .stored
    case (_, .removed), (_, .listed), (_, .signable): return .failed("the answer is of another kind")
    }
  }

  // MARK: The process

  /// Ends the process. Returns the requests without an answer.
  mutating func die() -> [World.TableVisit] {
    let lost = turn.sorted { $0.key.number < $1.key.number }
    (sockets, socketIDs, channelTickAt) = ([:], [:], nil)
    turn = [:]
    return lost.map(\.value.visit)
  }
}
