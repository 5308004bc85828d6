import ZoneKitCloud
import ZoneKitCloudProcess
import ZoneKitRecords
import ZoneKitStorage
import ZoneKitTableServer
import ZoneKitTables

/// The objects of an app's accounts as a service: it keeps and reads their bytes. The bytes of an upload are on the disk
/// before its request reaches the process.
final class ObjectService {
  private let zones: FileZoneService
  private let files: ObjectBytes
  /// The errors of the objects that could not be read when they were last asked for.
  private var unreadable: [Name: StoreError] = [:]
  /// The most of these errors that are kept.
  private static let unreadableLimit = 100

  /// The objects of a cloud, with those bytes.
  init(zones: FileZoneService, bytes: ObjectBytes) {
    self.zones = zones
    files = bytes
  }

  /// Whether the objects are those of buckets that a schema makes.
  var hasBuckets: Bool { zones.process.tables?.relations != nil }

  /// Why a sender is not admitted now; nil if it is.
  func problem(of sender: TableSender) -> SenderProblem? { zones.problem(of: sender) }

  /// A request arrived. `bytes` are those of an upload. `answer` is called once, after the commit; with nil if a fault
  /// suppresses the answer. `room` is the number of bytes that the answer may have. Returns how much of the turn the request
  /// takes.
  func receive(
    _ request: ObjectRequest, uploading bytes: [UInt8] = [], from sender: TableSender, room: Int,
    answer: @escaping (ObjectResponse?) -> Void
  ) -> TurnCost {
    zones.ask(.object(request), from: sender, room: room, prepare: { [self] in store(bytes, as: $0) }) { [self] given in
      if let response = given?.object { note(response, to: request) }
      answer(given?.object)
    }
  }

  private func store(_ bytes: [UInt8], as preparation: CloudPreparation) {
    guard case .store(let ticket, let place) = preparation else { return }
    do throws(StoreError) {
      try files.write(bytes, hash: place.hash, in: place.database)
      zones.stored(ticket)
    } catch {
      zones.stored(ticket, .unavailable("the object cannot be stored: \(error)"))
    }
  }

  /// An object that was replaced or removed is not unreadable any more.
  private func note(_ response: ObjectResponse, to request: ObjectRequest) {
    switch (request, response) {
    case (.put, .object(let object)): unreadable[Name(object.path)] = nil
    case (_, .removed(let objects)): for object in objects { unreadable[Name(object.path)] = nil }
    default: break
    }
  }

  /// The bytes of an object. Throws if they cannot be read, or are not those that were uploaded.
  func bytes(of object: StoredObject) throws(ObjectError) -> [UInt8] {
    guard let database = zones.process.tables?.database(of: object) else { throw .notFound }
    do throws(StoreError) {
      let found = try files.read(object, in: database)
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
}
