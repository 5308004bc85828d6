import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSimulator

/// An app that syncs, as its devices run it: its zones, its record types and its merge policy.
///
/// It keeps nothing of its own; what it shows is what its device's store holds. Its closures run while the world moves, so
/// they look at nothing but what they are given.
public struct SyncApp: Sendable {
  /// The zones that the app writes to; the first one is meant where a record's zone is not named.
  public var zones: [ZoneID]
  /// The app's record types; the first one is meant where a new record's type is not named.
  public var recordTypes: [Name]
  /// The configuration of the app's coordinator: the merge policy, the stamp field, and times and limits that rarely
  /// need another value.
  public var configuration: CoordinatorConfiguration
  /// The edits with which the app's rules answer what a merge left, such as two timers that run; none where all is well.
  /// Asked after each merge and at each start.
  public var repairs: @Sendable (DeviceView) -> [RecordEdit] = { _ in [] }
  /// The app's objection to a decision of its merge policy, in a sentence; nil where the decision is right.
  public var objection: @Sendable (ConflictEntry) -> String? = { _ in nil }

  /// An app of those zones and record types, each at least one, that decides conflicts by that policy.
  ///
  /// `stampField` names the field that the coordinator sets to the time of a record's last edit; nil where there is none.
  public init(
    zones: [ZoneID], recordTypes: [Name], stampField: Name? = nil, mergePolicy: MergePolicy
  ) {
    precondition(!zones.isEmpty, "an app that syncs has at least one zone of its own")
    precondition(!recordTypes.isEmpty, "an app that syncs has at least one record type")
    self.zones = zones
    self.recordTypes = recordTypes
    configuration = CoordinatorConfiguration(mergePolicy: mergePolicy, stampField: stampField)
  }

  /// The record of that name in the app's first zone.
  public func id(_ name: Name) -> RecordID { RecordID(recordName: name, zoneID: zones[0]) }
}

extension SyncApp {
  /// The app as the simulator runs it, without commands of its own.
  var simulated: DeviceApp {
    device { (line, _) throws(AppRefusal) in throw AppRefusal("\(line): the app has no commands") }
  }

  /// The app on a device, with commands that ask for those edits.
  private func device(
    doing edits: @escaping @Sendable (String, AppView) throws(AppRefusal) -> [RecordEdit]
  ) -> DeviceApp {
    let (app, repairs) = (self, repairs)
    let running = StatelessApp(edits: edits) { view in repairs(DeviceView(view, app: app)) }
    var device = DeviceApp("app", configuration: configuration, zones: zones) { _ in running }
    device.simulation.judge = objection
    return device
  }

  /// The app as a swarm plays it: a line of its commands is the seed of what a user does at random.
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
