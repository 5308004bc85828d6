import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSimulator

/// An app that syncs: its zones, record types and merge policy.
///
/// It has no state: an app shows what its device's store holds. Its closures run during the simulation, so they may use
/// only their arguments.
public struct SyncApp: Sendable {
  /// The zones to which the app writes. The first one is the default of other methods.
  public var zones: [ZoneID]
  /// The app's record types. The first one is the default of other methods.
  public var recordTypes: [Name]
  /// The settings of the app's coordinator: the merge policy, the stamp field, and times and limits that rarely need
  /// other values.
  public var configuration: CoordinatorConfiguration
  /// The edits with which the app's rules repair the result of a merge, for example two running timers; none if nothing
  /// is to be repaired. Called after each merge and at each start.
  public var repairs: @Sendable (DeviceView) -> [RecordEdit] = { _ in [] }
  /// Returns what is wrong with a decision of the merge policy, as a sentence; nil if it is right.
  public var objection: @Sendable (ConflictEntry) -> String? = { _ in nil }

  /// An app with those zones and record types, at least one of each, and that merge policy.
  ///
  /// `stampField` is the field that the coordinator sets to the time of a record's last edit; nil for none.
  public init(
    zones: [ZoneID], recordTypes: [Name], stampField: Name? = nil, mergePolicy: MergePolicy
  ) {
    precondition(!zones.isEmpty, "an app that syncs has at least one zone of its own")
    precondition(!recordTypes.isEmpty, "an app that syncs has at least one record type")
    self.zones = zones
    self.recordTypes = recordTypes
    configuration = CoordinatorConfiguration(mergePolicy: mergePolicy, stampField: stampField)
  }

  /// The ID of the record of that name in the app's first zone.
  public func id(_ name: Name) -> RecordID { RecordID(recordName: name, zoneID: zones[0]) }
}

extension SyncApp {
  /// The app for the simulator, without commands.
  var simulated: DeviceApp {
    device { (line, _) throws(AppRefusal) in throw AppRefusal("\(line): the app has no commands") }
  }

  /// The app for the simulator, with commands that make those edits.
  private func device(
    doing edits: @escaping @Sendable (String, AppView) throws(AppRefusal) -> [RecordEdit]
  ) -> DeviceApp {
    let (app, repairs) = (self, repairs)
    let running = StatelessApp(edits: edits) { view in repairs(DeviceView(view, app: app)) }
    var device = DeviceApp("app", configuration: configuration, zones: zones) { _ in running }
    device.simulation.judge = objection
    return device
  }

  /// The app for a swarm. A command is the seed for a random edit.
  func simulated(doing randomEdits: @escaping @Sendable (DeviceView, inout Chance) -> [RecordEdit]) -> DeviceApp {
    let app = self
    var simulated = device { (line, view) throws(AppRefusal) in
      guard let seed = UInt64(line) else { throw AppRefusal("\(line) is no seed of an edit") }
      var chance = Chance(seed: seed)
      return randomEdits(DeviceView(view, app: app), &chance)
    }
    simulated.simulation.randomLine = { draw in String(draw()) }
    return simulated
  }
}
