import ZoneKitDeviceHost
import ZoneKitDeviceProcess
import ZoneKitEventLoop
import ZoneKitRecords
import ZoneKitStorage
import ZoneKitSync
import ZoneKitTableClient
import ZoneKitTables
import ZoneKitWire

/// The photos of a device: it keeps their bytes in files, and sends and fetches them over connections of their own, so that
/// rows need not wait behind them.
package final class PhotoDriver {
  private unowned let link: TableServerLink
  private let bucket: ObjectBucket
  private let sizeLimit: Int
  private let files: PhotoFiles
  /// A connection for each transfer that may be under way.
  private let connections: [HTTPClient]

  /// The driver of a device; nil if its app has no photos.
  init?(_ link: TableServerLink, _ options: DeviceOptions) {
    guard let bucket = link.app.bucket, let photos = link.app.photos else { return nil }
    self.link = link
    self.bucket = bucket
    sizeLimit = photos.sizeLimit
    files = PhotoFiles(device: link.device.folder)
    connections = (0..<PhotoQueue.transferLimit).map { _ in HTTPClient(address: options.server, loop: link.loop) }
  }

  private var device: DeviceClient { link.device }

  /// The photos whose files are on the device. Throws if the folder cannot be read.
  func names() throws(StoreError) -> Set<PhotoName> { try files.names() }

  /// Whether a transfer was begun and its answer is missing.
  var awaitsAnswer: Bool { connections.contains(where: \.awaitsAnswer) }

  /// Ends the connections. The transfers under way get no answer.
  func close() { for connection in connections { connection.close() } }

  // MARK: What the user asks

  /// Copies a file into the folder of the device's photos. Throws if it is no picture that may be sent.
  package func add(_ path: String) throws(AppRefusal) -> QueuedPhoto {
    guard Folder.exists(path) else { throw AppRefusal("there is no file \(path)") }
    guard Folder.isFile(path) else { throw AppRefusal("\(path) is not a file") }
    let size = Folder.size(of: path)
    guard size <= Int64(sizeLimit) else {
      throw AppRefusal("\(path) has \(size) bytes; the limit is \(sizeLimit)")
    }
    do throws(StoreError) {
      if let photo = try copy(path) { return photo }
    } catch {
      throw AppRefusal("\(path) cannot be taken: \(error.message)")
    }
    throw AppRefusal("\(path) is no picture; expected JPEG, PNG or HEIC")
  }

  /// The photo of a file, copied; nil if it is no picture.
  private func copy(_ path: String) throws(StoreError) -> QueuedPhoto? {
    let bytes = try Folder.readNamed(path) ?? []
    guard let format = PictureFormat(of: bytes), let name = PhotoName(hash: Self.hash(of: bytes)) else { return nil }
    try files.write(bytes, as: name)
    device.photosKept([name])
    return QueuedPhoto(name: name, size: bytes.count, mediaType: format.mediaType, since: device.clock.now.wall)
  }

  /// Where the photo of a record is, as a line for users.
  package func place(of record: RecordID) throws(AppRefusal) -> String {
    let photos = device.process.photos
    if let queued = photos?.queued[record] { return "\(files.path(queued.name)) \(queued.words)" }
    guard let path = photos?.path(of: record) else { throw AppRefusal("\(record.recordName) has no photo") }
    guard let name = device.process.accountOfTables.flatMap({ PhotoName(path: path, of: $0) }) else { return path }
    if device.process.photoFiles.contains(name) { return files.path(name) }
    let reason = link.machine.photos.missing[path].map { ": \($0)" } ?? " yet"
    return "\(path) is not downloaded\(reason)"
  }

  /// Copies the photos of another folder of a device, such as a backup. Returns their names.
  func copyFiles(fromDevice folder: String) throws(StoreError) -> Set<PhotoName> {
    let others = PhotoFiles(device: folder)
    let names = try others.names()
    for name in names.sorted() {
      if let bytes = try others.read(name) { try files.write(bytes, as: name) }
    }
    return names
  }

  // MARK: Effects

  /// Carries a transfer out.
  func carryOut(_ id: TableLink.AskID, _ transfer: PhotoTransfer, token: String) {
    let sender = link.sender(token: token)
    let receive = device.receiver()
    let request: ClientRequest
    switch transfer {
    case .upload(_, let photo, let path):
      do throws(StoreError) {
        guard let bytes = try files.read(photo.name) else {
          return receive(.object(id, .unreadable("the device has no file with the bytes of the photo"), bytes: []))
        }
        request = ClientRequest(
          uploading: bytes, mediaType: photo.mediaType, to: path, in: bucket.name, from: sender)
      } catch {
        return receive(.object(id, .unreadable("\(error)"), bytes: []))
      }
    case .download(_, let path): request = ClientRequest(downloading: path, from: bucket.name, as: sender)
    }
    // The answer to a transfer that was given up may still be due, so a connection can be busy with two.
    guard let http = connections.min(by: { $0.waiting < $1.waiting }) else { return }
    let limit = Timer(on: link.loop) { http.close() }
    limit.schedule(after: TableLink.objectPatience)
    http.send(request) { answer in
      limit.close()
      receive(Self.message(answer, to: id, transfer))
    }
  }

  private static func message(
    _ answer: Result<HTTPResponse, MissingAnswer>, to id: TableLink.AskID, _ transfer: PhotoTransfer
  ) -> DeviceMessage {
    switch (answer, transfer) {
    case (.failure(let missing), _): .object(id, .failed(missing.reason), bytes: [])
    case (.success(let response), _) where !(200..<300).contains(response.status):
      .object(id, .refused(ServiceRefusal(ofObjects: response)), bytes: [])
    case (.success, .upload): .object(id, .stored, bytes: [])
    case (.success(let response), .download):
      .object(id, .received(hash: hash(of: response.body)), bytes: response.body)
    }
  }

  /// Writes the bytes of a photo.
  func keep(_ photo: PhotoName, _ bytes: [UInt8]) {
    attempt { () throws(StoreError) in
      try files.write(bytes, as: photo)
      device.photosKept([photo])
    }
  }

  /// Removes the files of all photos but those.
  func removeAll(but needed: Set<PhotoName>) {
    attempt { () throws(StoreError) in try files.removeAll(but: needed) }
  }

  private func attempt(_ work: () throws(StoreError) -> Void) {
    do throws(StoreError) {
      try work()
    } catch {
      device.onFact?(.storeFailed(error))
    }
  }

  private static func hash(of bytes: [UInt8]) -> String { Hexadecimal.text(SHA256.hash(bytes)) }
}
