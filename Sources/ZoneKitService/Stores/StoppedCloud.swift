import ZoneKitCloud
import ZoneKitCloudProcess
import ZoneKitPush
import ZoneKitRecords
import ZoneKitStorage
import ZoneKitTableServer
import ZoneKitTables

/// The cloud's process over the files of a data directory, for single messages while no server runs. The caller holds the
/// lock of the cloud's folder.
struct StoppedCloud {
  private var process: CloudProcess<CloudFiles, AccountFiles>
  private let bytes: ObjectBytes
  private var generator = SystemGenerator()

  /// The cloud in that data directory. `app` is the one whose tables it serves; nil for none.
  init(in data: DataDirectory, tables app: TableApp? = nil) throws(StoreError) {
    bytes = ObjectBytes(root: data.cloud)
    process = CloudProcess(
      store: try CloudFiles(root: data.cloud), limits: Limits(), policy: PushGateway.Policy(),
      tables: app.map { app in
        CloudTables(of: app, store: AccountFiles(root: data.cloud, app: app), limits: AccountLimits())
      })
  }

  /// The accounts; nil if the cloud serves no tables.
  var accounts: AccountFiles? { process.tables?.store }

  /// Serves a message in a turn of its own. Returns the answer; nil if there is none.
  mutating func serve(
    _ message: CloudMessage, from sender: CloudSender = CloudSender(RowCaller(.service)), at wall: WallTime
  ) -> CloudAnswer? {
    let now = Moment(wall: wall, monotonic: MonotonicTime(milliseconds: 0))
    let reception = process.submit(message, from: sender, at: now, using: &generator)
    var answer = reception.reply?.answer
    while case let effects = process.commit(using: &generator), !effects.isEmpty {
      for effect in effects {
        for done in process.perform(effect, at: now, using: &generator) {
          if case .reply(let reply) = done, reply.ticket == reception.ticket { answer = reply.answer }
          carryOut(done)
        }
      }
    }
    for place in process.takeUnusedBytes() { bytes.removeUnused(place) }
    return answer
  }

  private mutating func carryOut(_ effect: CloudProcessEffect) {
    switch effect {
    case .bytesNeeded(let needed, in: let database):
      process.release(bytes.names(in: database).filter { !needed.contains($0) }, in: database)
    // Nobody is connected.
    case .reply, .resume, .changed, .channel, .dropped, .channelFact, .push, .fact: break
    }
  }

  /// Closes the files.
  mutating func close() {
    process.zones.store.close()
    process.tables?.store.close()
  }
}

extension HeldFolders {
  /// Lets a task use the cloud of a data directory, whose server does not run.
  static func withStoppedCloud<Result>(
    in data: DataDirectory, tables app: TableApp? = nil,
    _ task: (inout StoppedCloud) throws(StoresError) -> Result
  ) throws(StoresError) -> Result {
    try holding([data.cloud]) { () throws(StoresError) in
      var cloud = try StoresError.from { () throws(StoreError) in try StoppedCloud(in: data, tables: app) }
      defer { cloud.close() }
      return try task(&cloud)
    }
  }
}
