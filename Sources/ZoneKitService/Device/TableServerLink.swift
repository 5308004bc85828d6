import ZoneKitDeviceHost
import ZoneKitDeviceProcess
import ZoneKitEventLoop
import ZoneKitRecords
import ZoneKitRelations
import ZoneKitStorage
import ZoneKitSync
import ZoneKitTableClient
import ZoneKitTables
import ZoneKitWire

/// A device's connections to a table server: HTTP for rows and accounts, connections of their own for photos, and a
/// WebSocket for the channel.
package final class TableServerLink: CloudLink {
  /// The device's photos; nil if its app has none.
  package private(set) lazy var photos = PhotoDriver(self, options)

  /// The app whose rows these are.
  package let app: TableApp
  /// Since when the device has been in its state.
  var watch = StateWatch()
  /// What the state was last computed from.
  var marks: StateMarks?
  /// The number of rows that the app cannot read; nil if they have to be counted.
  var unreadable: Int?

  unowned let device: DeviceClient
  private let options: DeviceOptions
  let loop: Loop
  let http: HTTPClient
  private let socket: ChannelSocket
  /// Since when the channel is joined, or not any more; nil if it never was.
  var channelSince: WallTime?
  /// Why the channel is not joined; nil if nothing says so.
  var channelReason: String?

  /// The connections of that device, which are opened when they are needed.
  init(_ device: DeviceClient, _ options: DeviceOptions, app: TableApp, loop: Loop) {
    self.device = device
    self.options = options
    self.app = app
    self.loop = loop
    http = HTTPClient(address: options.server, loop: loop)
    socket = ChannelSocket(address: options.server, version: options.channelVersion, loop: loop)
    socket.onOpen = { [unowned self] in self.device.received(.socketOpened) }
    socket.onClose = { [unowned self] in self.device.received(.socketClosed) }
    socket.onFrame = { [unowned self] in self.device.received(.frame($0)) }
  }

  package var account: Name? { device.coordinator.account }

  /// The device's link as the process knows it. Read its state only.
  package var machine: TableLink { device.process.link ?? TableLink(app: app, deviceID: "") }

  /// A channel announces changes, and no push service.
  var pushSocket: DeviceDiagnostics.Socket? { nil }

  // MARK: The app's process

  func coordinatorLaunched() {}

  func appEnded() { close() }

  func close() {
    socket.close(code: WebSocketCloseCode.normal.rawValue)
    http.close()
    photos?.close()
  }

  func linkChanged(isOnline: Bool) {
    guard !isOnline else { return }
    http.close()
    photos?.close()
  }

  var awaitsAnswer: Bool { http.awaitsAnswer || photos?.awaitsAnswer == true }

  // MARK: Effects

  func carryOut(_ effect: DeviceEffect) {
    switch effect {
    // Without an answer in time the connection is of no use, and the next request would wait behind the other one.
    case .requestAbandoned: http.close()
    case .askRows(let id, let request, let demands, let token): askRows(id, request, demands, token: token)
    case .askRelations(let id, let request, let token): askRelations(id, request, token: token)
    case .askAccount(let id, let request, let token): askAccount(id, request, token: token)
    case .askObject(let id, let transfer, let token): photos?.carryOut(id, transfer, token: token)
    case .openSocket: socket.open(as: sender(token: nil))
    case .sendFrame(let frame): socket.send(frame)
    case .closeSocket(let code): socket.close(code: code)
    case .signedIn(let session): signedIn(session)
    case .askFunction(let id, let function, let argument, let token): call(id, function, argument, token: token)
    case .prepareRollback(let backup, let files): prepareRollback(backup, files)
    case .keepPhoto(let photo, let bytes): photos?.keep(photo, bytes)
    case .removePhotos(let needed): photos?.removeAll(but: needed)
    case .remoteChange: unreadable = nil
    case .fact(let fact): heard(fact)
    case .channelFact(let fact): note(fact)
    case .linkSettled: noteState()
    default: return
    }
  }

  private func heard(_ fact: DeviceFact) {
    switch fact {
    case .syncFinished, .syncFailed: storeTimes()
    case .accountChanged: unreadable = nil
    default: break
    }
    noteState()
  }

  /// An account signed in.
  private func signedIn(_ session: StoredSession) {
    do throws(StoreError) {
      try device.attempt { (process, moment) throws(StoreError) in try process.signIn(session, at: moment) }
    } catch {
      device.onTold?(.signInFailed(SessionError(.refused("store"), "\(error)")))
    }
  }

  private func prepareRollback(_ backup: String, _ edits: [String: [UInt8]]) {
    do throws(StoreError) {
      for (path, bytes) in edits { try Folder.write(bytes, to: path) }
      let kept = try photos?.copyFiles(fromDevice: backup) ?? []
      device.act { $0.rollbackPrepared(photos: kept, at: $1) }
    } catch {
      device.act { process, _ in process.rollbackFailed(error) }
    }
  }

  // MARK: Requests

  func sender(token: String?) -> SupabaseSender {
    SupabaseSender(key: options.tableKey(), token: token, deviceID: device.coordinator.deviceID)
  }

  private func askRows(_ id: TableLink.AskID, _ request: RowRequest, _ demands: RowDemands, token: String) {
    guard let table = OwnTable(request.table)?.table ?? app.schema.table(request.table) else { return }
    let receive = device.receiver()
    http.send(ClientRequest(request, demands, of: table, from: sender(token: token))) { answer in
      switch answer {
      case .success(let response): receive(.rows(id, RowOutcome(response, of: table)))
      case .failure(let missing): receive(.rows(id, .unanswered(missing)))
      }
    }
  }

  private func askRelations(_ id: TableLink.AskID, _ request: RelationRequest, token: String) {
    let receive = device.receiver()
    http.send(ClientRequest(request, from: sender(token: token))) { answer in
      switch answer {
      case .success(let response): receive(.relations(id, RelationOutcome(response)))
      case .failure(let missing): receive(.relations(id, .unanswered(missing)))
      }
    }
  }

  private func call(_ id: TableLink.AskID, _ function: String, _ argument: JSON, token: String) {
    let receive = device.receiver()
    http.send(ClientRequest(calling: function, argument, from: sender(token: token))) { answer in
      receive(.function(id, FunctionOutcome(answer)))
    }
  }

  private func askAccount(_ id: TableLink.AskID, _ request: AccountRequest, token: String?) {
    let receive = device.receiver()
    guard device.process.hasLink else {
      return receive(.account(id, .failed(SessionError(.notSent("the device is offline")))))
    }
    let limit = Timer(on: loop) { [weak self] in self?.http.close() }
    limit.schedule(after: TableLink.accountPatience)
    http.send(ClientRequest(request, from: sender(token: token))) { answer in
      limit.close()
      switch answer {
      case .success(let response): receive(.account(id, AccountOutcome(response)))
      case .failure(let missing): receive(.account(id, .failed(SessionError(missing))))
      }
    }
  }
}

extension FunctionOutcome {
  /// The outcome of a call with that answer.
  fileprivate init(_ answer: Result<HTTPResponse, MissingAnswer>) {
    switch answer {
    case .success(let response) where (200..<300).contains(response.status):
      self = (try? JSON(parsing: response.body)).map { .value($0) } ?? .failed("the answer is not JSON")
    case .success(let response): self = .refused(ServiceRefusal(response))
    case .failure(let missing): self = .failed(missing.reason)
    }
  }
}
