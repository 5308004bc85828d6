import ZoneKitDeviceHost
import ZoneKitEventLoop
import ZoneKitRecords
import ZoneKitStorage
import ZoneKitSync
import ZoneKitTableClient
import ZoneKitTables
import ZoneKitWire

/// Carries out what the machine `PhotoQueue` decides about a device's photos: it keeps their bytes in files, and sends and
/// fetches them over connections of their own, so that rows need not wait behind them.
package final class PhotoDriver {
  /// Called with each fact about photos.
  package var onFact: ((PhotoFact) -> Void)?
  /// Called with the records whose photo was set.
  package var onNamed: (([RecordID]) -> Void)?

  private unowned let link: TableServerLink
  private let bucket: ObjectBucket
  private let sizeLimit: Int
  private let files: PhotoFiles
  /// A connection for each transfer that may be under way.
  private let connections: [HTTPClient]
  private var view: PhotoView
  private var stored: Set<PhotoName> = []
  /// The bytes that came with the transfer that ended last.
  private var received: [UInt8] = []

  /// The driver of a device; nil if its app has no photos.
  init?(_ link: TableServerLink, _ options: DeviceOptions) {
    guard let view = PhotoView(link.machine.app), let bucket = link.machine.app.bucket,
      let photos = link.machine.app.photos
    else { return nil }
    self.link = link
    self.bucket = bucket
    self.view = view
    sizeLimit = photos.sizeLimit
    files = PhotoFiles(device: link.device.folder)
    connections = (0..<PhotoQueue.transferLimit).map { _ in HTTPClient(address: options.server, loop: link.loop) }
  }

  private var device: DeviceClient { link.device }
  private var account: UUID? { device.coordinator.account.flatMap { UUID($0.text) } }

  // MARK: Events

  /// Reads the store and the files anew, after the start of the app and after a change of account. Files that nothing
  /// needs are removed.
  func look() {
    attempt { () throws(StoreError) in
      try view.read(device.coordinator.store)
      let orphans = try view.orphans(in: device.coordinator.store, of: account)
      if !orphans.isEmpty {
        try store(orphans.map { AppValueChange($0, nil) })
        try view.readQueue(device.coordinator.store)
      }
      try files.removeAll(but: view.needed(by: account))
      stored = try files.names()
    }
    report()
  }

  /// Those records or their queued photos may have changed.
  package func recordsChanged(_ records: [RecordID]) {
    var isChanged = false
    attempt { () throws(StoreError) in isChanged = try view.read(records, in: device.coordinator.store) }
    if isChanged { report() }
  }

  /// Photos wait until rows are uploaded, or wait no more.
  func hold(_ isHeld: Bool) { link.perform { machine, now, _ in machine.photosHeld(isHeld, at: now) } }

  /// Whether a transfer was begun and its answer is missing.
  var awaitsAnswer: Bool { connections.contains(where: \.awaitsAnswer) }

  /// Ends the connections. The transfers under way get no answer.
  func close() { for connection in connections { connection.close() } }

  private func report() {
    var sight = PhotoQueue.Sight()
    sight.queued = view.waiting
    sight.named = view.named
    sight.stored = stored
    link.perform { machine, now, _ in machine.photosSeen(sight, at: now) }
  }

  private func attempt(_ work: () throws(StoreError) -> Void) {
    do throws(StoreError) {
      try work()
    } catch {
      device.onFact?(.storeFailed(error))
    }
  }

  private func store(
    _ values: [AppValueChange], with edits: [RecordEdit] = []
  ) throws(StoreError) {
    try device.attempt { (coordinator, now, generator) throws(StoreError) in
      try coordinator.edit(edits, setting: values, at: now, using: &generator)
    }
  }

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
    stored.insert(name)
    return QueuedPhoto(name: name, size: bytes.count, mediaType: format.mediaType, since: device.clock.now.wall)
  }

  /// Where the photo of a record is, as a line for users.
  package func place(of record: RecordID) throws(AppRefusal) -> String {
    if let queued = view.queued[record] { return "\(files.path(queued.name)) \(queued.words)" }
    guard let path = view.path(of: record) else { throw AppRefusal("\(record.recordName) has no photo") }
    guard let name = account.flatMap({ PhotoName(path: path, of: $0) }) else { return path }
    if stored.contains(name) { return files.path(name) }
    let reason = link.machine.photos.missing[path].map { ": \($0)" } ?? " yet"
    return "\(path) is not downloaded\(reason)"
  }

  /// Tries again what was set aside: the photo of that record, or those of all if nil.
  package func retry(_ record: RecordID?) throws(StoreError) {
    let refused = view.queued.filter { $0.value.refusal != nil && (record == nil || $0.key == record) }
    let values = refused.keys.sorted().map { id in
      var photo = refused[id]
      photo?.refusal = nil
      return AppValueChange(QueuedPhoto.key(of: id), photo.map { .text($0.text) })
    }
    if !values.isEmpty { try store(values) }
    let paths = record.map { view.path(of: $0).map { [$0] } ?? [] }
    link.perform { machine, now, _ in machine.photosRetried(paths, at: now) }
    try view.readQueue(device.coordinator.store)
    report()
  }

  /// Copies the photos of another folder of a device, such as a backup.
  func copyFiles(fromDevice folder: String) throws(StoreError) {
    let others = PhotoFiles(device: folder)
    for name in try others.names().sorted() {
      if let bytes = try others.read(name) { try files.write(bytes, as: name) }
    }
  }

  /// The queued photos of rows that are not deleted, also those that were refused.
  package var waiting: [RecordID: QueuedPhoto] { view.waiting }
  /// The queued photos of all rows, also those that were refused.
  package var queued: [RecordID: QueuedPhoto] { view.queued }
  /// The number of photos whose bytes are on the device.
  package var count: Int { stored.count }

  // MARK: The machine

  /// Carries a transfer out.
  func carryOut(_ id: TableLink.AskID, _ transfer: PhotoTransfer, token: String) {
    let sender = link.sender(token: token)
    let request: ClientRequest
    switch transfer {
    case .upload(_, let photo, let path):
      do throws(StoreError) {
        guard let bytes = try files.read(photo.name) else {
          return answered(id, .unreadable("the device has no file with the bytes of the photo"))
        }
        request = ClientRequest(
          uploading: bytes, mediaType: photo.mediaType, to: path, in: bucket.name, from: sender)
      } catch {
        return answered(id, .unreadable("\(error)"))
      }
    case .download(_, let path): request = ClientRequest(downloading: path, from: bucket.name, as: sender)
    }
    // The answer to a transfer that was given up may still be due, so a connection can be busy with two.
    guard let http = connections.min(by: { $0.waiting < $1.waiting }) else { return }
    let limit = Timer(on: link.loop) { http.close() }
    limit.schedule(after: TableLink.objectPatience)
    http.send(request) { [weak self] answer in
      limit.close()
      self?.take(answer, to: id, transfer)
    }
  }

  private func take(
    _ answer: Result<HTTPResponse, HTTPClient.Failure>, to id: TableLink.AskID, _ transfer: PhotoTransfer
  ) {
    switch (answer, transfer) {
    case (.failure(.notSent(let reason)), _), (.failure(.answerLost(let reason)), _): answered(id, .failed(reason))
    case (.success(let response), _) where !(200..<300).contains(response.status):
      answered(id, .refused(ServiceRefusal(ofObjects: response)))
    case (.success, .upload): answered(id, .stored)
    case (.success(let response), .download):
      answered(id, .received(hash: Self.hash(of: response.body)), with: response.body)
    }
  }

  private func answered(_ id: TableLink.AskID, _ outcome: ObjectOutcome, with bytes: [UInt8] = []) {
    link.hear { [weak self] machine, now, generator in
      self?.received = bytes
      return machine.objectAnswered(id, outcome, at: now, using: &generator)
    }
  }

  /// Carries out what the outcome of a transfer means.
  func carryOut(_ effect: PhotoQueue.Effect) {
    switch effect {
    case .name(let record, let path):
      attempt { () throws(StoreError) in
        let (edits, values) = try device.app.changes(naming: path, of: record, in: device.view)
        try store(values, with: edits)
        onNamed?(edits.map(\.recordID))
        recordsChanged([record] + edits.map(\.recordID))
      }
    case .setAside(let record, let photo):
      attempt { () throws(StoreError) in
        try store([AppValueChange(QueuedPhoto.key(of: record), .text(photo.text))])
        recordsChanged([record])
      }
    case .keep(let name):
      attempt { () throws(StoreError) in
        try files.write(received, as: name)
        stored.insert(name)
      }
      received = []
    case .fact(let fact): onFact?(fact)
    }
  }

  private static func hash(of bytes: [UInt8]) -> String { Hexadecimal.text(SHA256.hash(bytes)) }
}
