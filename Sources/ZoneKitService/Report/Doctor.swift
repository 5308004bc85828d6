import ZoneKitEventLoop
import ZoneKitRecords
import ZoneKitStorage

/// Looks at a data directory and at what a server of it would need. Changes nothing.
package struct Doctor {
  private let data: DataDirectory
  private let server: (pid: Int64, http: Address, push: Address)?
  private let owner: JSON?
  /// The findings: server, addresses, disk, files, devices.
  package private(set) var findings: [Finding] = []

  /// Looks at that data directory, and at the addresses at which a server would listen. `unmarkedApp` is the app of stores
  /// that name none.
  package init(of data: DataDirectory, http: Address, push: Address, unmarkedApp: String) {
    self.data = data
    owner = RunningServer.owner(in: data)
    let pid = owner?["pid"]?.integer
    server = RunningServer.addresses(in: data).map { (pid ?? 0, $0.http, $0.push) }
    findings.append(folderFinding)
    findings.append(serverFinding)
    for (address, use) in [(http, "requests"), (push, "pushes")] { findings.append(finding(of: address, for: use)) }
    findings += diskFindings
    findings += fileFindings
    findings += deviceFindings(unmarkedApp)
  }

  private var folderFinding: Finding {
    if Folder.isFile(data.root) {
      return Finding(
        .problem, "folder", "\(data.root) is a file", remedy: "name a folder: zonekit doctor DIR, or --data DIR")
    }
    if Folder.exists("\(data.root)/.restoring") {
      return Finding(
        .note, "folder", "a restore in \(data.root) was interrupted",
        remedy: "start a server or a device, which finishes it")
    }
    guard Folder.exists(data.root) else {
      return Finding(.note, "folder", "there is no \(data.root) yet", remedy: "zonekit serve makes it")
    }
    return Finding(.ok, "folder", data.root)
  }

  private var serverFinding: Finding {
    guard let server else {
      guard let pid = owner?["pid"]?.integer else {
        return Finding(.ok, "server", "none is running in \(data.root)", remedy: "zonekit serve starts one")
      }
      return Finding(
        .note, "server", "process \(pid) holds the cloud's folder and serves nothing", remedy: "wait until it has ended"
      )
    }
    do throws(ServiceError) {
      _ = try CloudStatus.fetch(from: server.http, key: owner?[RunningServer.keyName]?.string)
    } catch {
      return Finding(
        .problem, "server", "process \(server.pid) holds the cloud's folder and does not answer: \(error)",
        remedy: "end it: kill \(server.pid)")
    }
    return Finding(
      .ok, "server", "it is running as process \(server.pid), requests \(server.http), pushes \(server.push)")
  }

  private func finding(of address: Address, for use: String) -> Finding {
    if address == server?.http || address == server?.push {
      return Finding(.ok, "address", "\(address) for \(use) is that of the running server")
    }
    do throws(LoopError) {
      let loop = try Loop()
      defer { loop.closeAll() }
      _ = try Listener(at: address, on: loop)
      return Finding(.ok, "address", "\(address) for \(use) is free")
    } catch {
      return Finding(
        server == nil ? .problem : .note, "address", "\(address) for \(use) is not free: \(error.message)",
        remedy:
          "end the process that listens there, or choose another: zonekit serve --http 127.0.0.1:0 --push 127.0.0.1:0")
    }
  }

  private var diskFindings: [Finding] {
    var folder = data.root
    while !Folder.isFolder(folder), folder != Folder.parent(of: folder) { folder = Folder.parent(of: folder) }
    do {
      let system = try FileSystem(of: folder)
      return Finding.disk(
        isInMemory: system.isInMemory, microseconds: try SyncProbe(of: folder).microseconds, freeBytes: system.freeBytes
      )
    } catch {
      return [
        Finding(
          .problem, "disk", "\(error)", remedy: "choose a folder that this user may write, with --data, or make room")
      ]
    }
  }

  private var fileFindings: [Finding] {
    do throws(StoreError) {
      let others = try FileVersion.others(below: data.cloud) + FileVersion.others(below: data.devices)
      guard !others.isEmpty else { return [Finding(.ok, "files", "none is of another version")] }
      return others.map { file in
        let text =
          "\(file.path) is a \(file.format) of version \(file.version); this program writes version \(file.known)"
        return file.version > file.known
          ? Finding(.problem, "files", text, remedy: "use the newer program that wrote it")
          : Finding(.note, "files", text, remedy: "nothing: the next server or device brings it up to date")
      }
    } catch {
      return [Finding(.problem, "files", "\(error)", remedy: "zonekit check \(data.root) says more")]
    }
  }

  private func deviceFindings(_ unmarkedApp: String) -> [Finding] {
    do throws(StoreError) {
      let names = try data.deviceNames()
      guard !names.isEmpty else { return [Finding(.ok, "devices", "there are none")] }
      return names.map { name in
        do throws(StoreError) {
          let app = try data.owner(ofDevice: name, unmarkedApp: unmarkedApp)?.app ?? "no app yet"
          let lock = try DirectoryLock.owner(of: try data.device(name)).flatMap { try? JSON(parsing: $0) }
          let life = lock?["pid"]?.integer.map { "running as process \($0)" } ?? "stopped"
          return Finding(.ok, "device", "\(name): \(app), \(life)")
        } catch {
          return Finding(.problem, "device", "\(name): \(error)", remedy: "zonekit check \(data.root) says more")
        }
      }
    } catch {
      return [Finding(.problem, "devices", "\(error)", remedy: "zonekit check \(data.root) says more")]
    }
  }
}
