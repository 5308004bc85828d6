import ZoneKitRecords
import ZoneKitSimulator

/// An app that syncs, as its devices run it: which zones and records it has, and what it makes of conflicts.
///
/// It keeps nothing of its own; what it shows is what its device's store holds. Its closures run while the world moves, so
/// they look at nothing but what they are given.
public struct SyncApp: Sendable {
  /// The zones that the app writes to; the first one is meant where a record's zone is not named.
  public var zones: [ZoneID]
  /// The app's record types; the first one is meant where a new record's type is not named.
  public var recordTypes: [Name]
  /// All that the app tells its coordinator: the merge policy and the stamp field, and times and limits that rarely
  /// need another value.
  public var configuration: CoordinatorConfiguration
  /// The edits with which the app's rules answer what a merge left, such as two timers that run; none where all is well.
  /// Asked after each merge and at each start.
  public var repairs: @Sendable (DeviceView) -> [RecordEdit] = { _ in [] }
  /// What the app has against a decision that its merge policy made, in a sentence; nil where the decision is right.
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
  var simulated: SimulatedApp {
    let (app, repairs) = (self, repairs)
    return SimulatedApp(
      configuration: configuration, zones: zones,
      perform: { (line: String, _, _) throws(AppRefusal) -> [RecordEdit] in
        throw AppRefusal("\(line): the app has no commands")
      },
      repairs: { view in repairs(DeviceView(view, app: app)) }, judge: objection)
  }

  /// The app as a swarm plays it: a line of its commands is the seed of what a user does at random.
  func simulated(doing randomEdits: @escaping @Sendable (DeviceView, inout Chance) -> [RecordEdit]) -> SimulatedApp {
    let app = self
    var simulated = simulated
    simulated.perform = { (line: String, view: AppView, _) throws(AppRefusal) -> [RecordEdit] in
      guard let seed = UInt64(line) else { throw AppRefusal("\(line) is no seed of an edit") }
      var chance = Chance(seed: seed)
      return randomEdits(DeviceView(view, app: app), &chance)
    }
    simulated.randomLine = { generator in String(generator.next()) }
    return simulated
  }
}
