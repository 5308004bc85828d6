import ZoneKitThreads
import ZoneKitStorage

/// Records what happens to the files of a folder: SQLite's writes by `RecordingVFS`, and those of `Folder`.
final class DiskRecorder: Sendable {
  private struct State {
    var events: [DiskEvent] = []
    var files: [String: Int] = [:]
    var lastFile = 0
  }

  /// The folder.
  let root: String
  private let state = Lock(State())

  /// A recorder of that folder, which is empty.
  init(root: String) { self.root = root }

  /// Everything that happened, in order.
  var events: [DiskEvent] { state.withLock { $0.events } }

  /// Runs `body` and records what it does.
  func recording<Result>(_ body: () throws -> Result) rethrows -> Result {
    RecordingVFS.begin(self)
    defer { RecordingVFS.end(self) }
    return try body()
  }

  /// Records something else.
  func note(_ event: DiskEvent) { state.withLock { $0.events.append(event) } }

  /// The number of the file at that path. A file that is not known yet was made just now.
  func number(of path: String) -> Int { state.withLock { Self.number(of: path, in: &$0) } }

  private static func number(of path: String, in state: inout State) -> Int {
    if let number = state.files[path] { return number }
    state.lastFile += 1
    state.files[path] = state.lastFile
    state.events.append(.madeFile(state.lastFile, path: path))
    return state.lastFile
  }

  /// Records that a file was removed.
  func removed(_ path: String) {
    state.withLock { state in
      guard state.files.removeValue(forKey: path) != nil else { return }
      state.events.append(.removed(path: path))
    }
  }

  /// Records a change that `Folder` made.
  func note(_ change: FolderChange) {
    state.withLock { state in
      switch change {
      case .made(let path): state.events.append(.madeFolder(path: path))
      case .synced(let path): state.events.append(.syncedFolder(path: path))
      case .removed(let path):
        // The index of a WAL is none of the recorded files.
        guard !path.hasSuffix("-shm") else { return }
        state.files[path] = nil
        state.events.append(.removed(path: path))
      case .renamed(let path, let target):
        let moved = state.files.filter { $0.key == path || $0.key.hasPrefix(path + "/") }
        for (name, number) in moved {
          state.files[name] = nil
          state.files[target + name.dropFirst(path.count)] = number
        }
        state.events.append(.renamed(path: path, to: target))
      case .wrote(let path, let bytes):
        let number = Self.number(of: path, in: &state)
        state.events += [.resized(number, size: 0), .wrote(number, offset: 0, bytes: bytes)]
      case .syncedFile(let path):
        state.events.append(.synced(Self.number(of: path, in: &state)))
      }
    }
  }
}
