import ZoneKitEventLoop
import ZoneKitRecords
import ZoneKitService
import ZoneKitStorage
import ZoneKitTables
import ZoneKitThreads

/// The thread on which a server runs, from its start to the removal of its folder.
final class ServerLife: Sendable {
  /// Where a server is found, and with which keys.
  struct Address: Sendable {
    let url: String
    let port: UInt16
    let anonKey: String
    let serviceKey: String
    let folder: String
  }

  private enum State {
    case starting
    /// `waiting` continue when the server has ended.
    case running(Waker, waiting: [CheckedContinuation<StoreError?, Never>])
    /// The error is that of its folder, which remains.
    case ended(StoreError?)
  }

  /// The file descriptors that one of several servers in a process divides.
  private static let descriptors: UInt64 = 400

  private let state = Lock(State.starting)

  /// Starts the thread and the server. Returns where it is, or why it did not start.
  func begin(_ data: DeclaredData) async -> Result<Address, ServerFailure> {
    await withCheckedContinuation { continuation in
      let code = DetachedThread.start { self.live(data) { continuation.resume(returning: $0) } }
      if code != 0 {
        continuation.resume(returning: .failure(ServerFailure("the system refuses a thread (error \(code))")))
      }
    }
  }

  /// Ends the server, and returns when it has ended: with the error if its folder remains.
  func end() async -> StoreError? {
    await withCheckedContinuation { continuation in
      let error: StoreError?? = state.withLock { state in
        switch state {
        case .running(let waker, let waiting):
          state = .running(waker, waiting: waiting + [continuation])
          waker.wake()
          return nil
        case .starting: return .some(nil)
        case .ended(let error): return .some(error)
        }
      }
      if let error { continuation.resume(returning: error) }
    }
  }

  /// Lets the server end by itself.
  func endLater() { state.withLock { if case .running(let waker, _) = $0 { waker.wake() } } }

  /// What the thread does. `begun` is called once.
  private func live(_ data: DeclaredData, begun: (Result<Address, ServerFailure>) -> Void) {
    let folder: String
    do throws(StoreError) {
      folder = try Folder.makeTemporary()
    } catch {
      return begun(.failure(ServerFailure("\(error)")))
    }
    do throws(ServiceError) {
      let loop = try Self.loop()
      let server = try Server(Self.options(data, in: folder), on: loop)
      let waker = try Self.waker(on: loop)
      state.withLock { $0 = .running(waker, waiting: []) }
      begun(Self.address(of: server, in: folder))
      server.run()
    } catch {
      begun(.failure(ServerFailure(error.description)))
    }
    end(removing: folder)
  }

  private func end(removing folder: String) {
    var failure: StoreError?
    do throws(StoreError) {
      try Folder.remove(folder)
    } catch {
      failure = error
    }
    let waiting = state.withLock { state in
      defer { state = .ended(failure) }
      if case .running(_, let waiting) = state { return waiting }
      return []
    }
    for continuation in waiting { continuation.resume(returning: failure) }
  }

  private static func loop() throws(ServiceError) -> Loop {
    do throws(LoopError) {
      return try Loop()
    } catch {
      throw ServiceError(error)
    }
  }

  private static func waker(on loop: Loop) throws(ServiceError) -> Waker {
    do throws(LoopError) {
      return try Waker(on: loop) { loop.stop() }
    } catch {
      loop.closeAll()
      throw ServiceError(error)
    }
  }

  private static func options(_ data: DeclaredData, in folder: String) -> ServerOptions {
    let anyPort = ZoneKitEventLoop.Address.tcp(host: "127.0.0.1", port: 0)
    var options = ServerOptions(
      data: DataDirectory(folder), http: anyPort, push: anyPort, authentication: .open, version: "library")
    (options.tables, options.ownTables, options.documents) = (.own, data.tables, data.documents)
    (options.descriptors, options.endsAtSignals) = (descriptors, false)
    return options
  }

  private static func address(of server: Server, in folder: String) -> Result<Address, ServerFailure> {
    guard case .tcp(_, let port) = server.http, let supabase = server.supabase else {
      return .failure(ServerFailure("the server has no port or no keys; this is a defect"))
    }
    return .success(
      Address(
        url: supabase.url, port: port, anonKey: supabase.anonymousKey, serviceKey: supabase.serviceKey, folder: folder))
  }
}
