import Glibc
import ZoneKitEventLoop
import ZoneKitRecords
import ZoneKitStorage

/// How the processes of a data directory make way for one that replaces its state.
///
/// That one holds the lock of the snapshots' folder, and asks the others. They close their files, release their locks, and wait
/// until the lock of the snapshots' folder is free: because the state was replaced, or because its holder was killed. Then
/// they go on with what is there.
package enum StandingAside {
  /// The time between two looks at a lock, in milliseconds.
  package static let step: Int64 = 20
  /// The time that a process has to close its files, or to go on, in milliseconds.
  package static let patience: Int64 = 10_000

  /// The body of the request to a server.
  static let request: JSON = ["do": "standAside"]
  /// Why a process does not stand aside.
  static let refusal = "nobody replaces the state of this data directory"

  /// Whether that body is the request to a server.
  static func isRequest(_ body: [UInt8]) -> Bool { (try? JSON(parsing: body)) == request }

  /// Whether some process replaces the state of a data directory, or saves it.
  package static func isWanted(in data: DataDirectory) -> Bool { isHeld(data.snapshots) }

  /// A process that was asked.
  private struct Process {
    /// Its name in a sentence.
    let name: String
    /// The folder that it locks.
    let folder: String
  }

  /// Asks the server and the devices of a data directory, and returns when all have closed their files. The caller holds the
  /// lock of the snapshots' folder. Throws which process does not stand aside. A process that cannot be asked, such as an
  /// import, still has its lock afterwards. Returns the process ID of the server; nil if there is none.
  static func ask(in data: DataDirectory) throws(StoresError) -> Int32? {
    let server = RunningServer.control(in: data)
    let pid = server == nil ? nil : pid(ofOwnerOf: data.cloud)
    var asked: [Process] = []
    // Devices come first: none of them then meets a server that is gone.
    for name in try data.knownDevices() {
      let folder = try StoresError.from { () throws(StoreError) in try data.device(name) }
      guard let address = ControlClient.address(ofDeviceIn: folder) else { continue }
      let process = Process(name: "device \(name)", folder: folder)
      do throws(ServiceError) {
        let answer = try ControlClient.ask(ControlSocket.Question.standAside.json, at: address)
        guard answer["done"] == true else { throw ServiceError(answer["error"]?.string ?? answer.text()) }
      } catch {
        throw failure(of: process, error.description)
      }
      asked.append(process)
    }
    if let server {
      let process = Process(name: "the server", folder: data.cloud)
      do throws(StoresError) {
        _ = try ServerControl.ask(server, "POST", "/zonekit/administration", request)
      } catch {
        throw failure(of: process, error.description)
      }
      asked.append(process)
    }
    for process in asked {
      guard wait(until: { !isHeld(process.folder) }) else {
        throw failure(of: process, "it has not closed its files within \(patience / 1_000) s")
      }
    }
    return pid
  }

  /// Returns when the server of a data directory with that process ID serves again. Throws if it does not.
  static func awaitServer(_ pid: Int32, in data: DataDirectory) throws(StoresError) {
    _ = wait(until: { RunningServer.control(in: data) != nil || kill(pid, 0) != 0 })
    guard RunningServer.control(in: data) != nil else {
      throw .unavailable("the state is replaced, but the server (process \(pid)) does not serve it; start it again")
    }
  }

  private static func failure(of process: Process, _ reason: String) -> StoresError {
    let number = pid(ofOwnerOf: process.folder).map { " (process \($0))" } ?? ""
    return .unavailable("\(process.name)\(number) does not stand aside: \(reason); end it first")
  }

  private static func pid(ofOwnerOf folder: String) -> Int32? {
    let note = ((try? DirectoryLock.owner(of: folder)) ?? nil).flatMap { try? JSON(parsing: $0) }
    return note?["pid"]?.integer.map { Int32(truncatingIfNeeded: $0) }
  }

  private static func isHeld(_ folder: String) -> Bool { ((try? DirectoryLock.owner(of: folder)) ?? nil) != nil }

  /// Looks again and again. Returns whether the condition became true in time.
  package static func wait(until condition: () -> Bool) -> Bool {
    for _ in 0...patience / step {
      if condition() { return true }
      usleep(UInt32(step) * 1_000)
    }
    return false
  }
}
