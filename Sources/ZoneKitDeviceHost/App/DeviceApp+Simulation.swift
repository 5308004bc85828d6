import ZoneKitRecords
import ZoneKitSync
import ZoneKitTables

extension DeviceApp {
  /// What only a simulation needs of an app: checks of the decisions of its rules, and random commands. All properties
  /// are optional. An app with the defaults can be simulated by scenarios.
  package struct Simulation: Sendable {
    /// The merge policy of simulated devices, if it differs from that of the configuration, for example because it
    /// checks its own decisions.
    package var mergePolicy: MergePolicy?
    /// The schema of the tables that the cloud serves; nil for tables of this product's form.
    package var schema: (any ServedSchema)?
    /// Returns what is wrong with the decision of a conflict, as a sentence; nil if it is right.
    package var judge: @Sendable (ConflictEntry) -> String? = { _ in nil }
    /// Returns what is wrong with a repair by the app's rules, as a sentence; nil if it is right.
    package var judgeRepair: @Sendable (Repaired, AppView) -> String? = { _, _ in nil }
    /// Returns what is wrong with what a command of a user changed, as a sentence; nil if it is right. The arguments are the
    /// command and all records of the device that differ after it.
    package var judgeCommand: @Sendable (String, [Change]) -> String? = { _, _ in nil }
    /// Returns what is wrong with the records that a sign-in made of the local ones, as a sentence; nil if they are right.
    /// The arguments are what was there before and what is there after it.
    package var judgeAdoption: @Sendable (Adoption, Adoption) -> String? = { _, _ in nil }
    /// Returns what is wrong once a device agrees with its cloud, a sentence for each. The arguments are the account's
    /// records in the cloud and the state of the device.
    package var judgeAgreement: @Sendable ([RecordID: RecordContent], AppView) -> [String] = { _, _ in [] }
    /// Returns what is wrong with a record that the rules may not produce, as a sentence; nil if it is valid.
    package var flaw: @Sendable (RecordID, RecordContent) -> String? = { _, _ in nil }
    /// The fields of a record that its cloud may change by itself, besides the stamp, such as the time of deletion of a
    /// row that goes with its owner.
    package var fieldsOfCloud: @Sendable (RecordID) -> [Name] = { _ in [] }
    /// Whether a field of a record that a sign-in made has the value that the cloud gives it with the account, so that no
    /// user chose it.
    package var isGiven: @Sendable (RecordID, Field) -> Bool = { _, _ in false }
    /// Makes a random command of the app from random bits that its argument returns. `@1`, `@2` and so on stand for
    /// existing records. Nil if the app cannot be used in random simulations.
    package var randomLine: (@Sendable (_ draw: () -> UInt64) -> String)?
    /// The same for commands whose changes pushes announce, if they do not announce those of all. Nil if there are no such
    /// commands.
    package var announcedLine: (@Sendable (_ draw: () -> UInt64) -> String)?
    /// Commands whose result depends on the time zone of the device.
    package var linesOfDays: [String] = []
    /// What the person of that name owes, as the app shows it, such as `42.25` or `-3.00, 42.25`: one amount for each
    /// currency. Throws if there is no such person. Nil if the app has no balances.
    package var balance: (@Sendable (_ person: String, AppView) throws(AppRefusal) -> String)?
    /// What the app computes from a record's fields under a name that is no field, such as a sum; nil for any other name.
    package var computed: @Sendable (Name, Fields) -> FieldValue? = { _, _ in nil }
    /// Returns what is wrong with the content that a record has in the end, given all versions that users made of it, as
    /// a sentence; nil if it is right. It is not asked about records of which versions may have been lost, for example
    /// with a device's disk.
    package var law: @Sendable (RecordID, _ versions: [RecordContent], _ final: RecordContent) -> String? = { _, _, _ in
      nil
    }
    /// Makes commands for two records of which the second refers to the first. The number makes their names unique. Nil
    /// if the app has no such records.
    package var familyLines: (@Sendable (Int) -> FamilyLines)?

    /// The defaults.
    package init() {}
  }

  /// A record before and after a repair by the app's rules.
  package struct Repaired: Sendable {
    /// The ID of the record.
    package var id: RecordID
    /// Its content before.
    package var before: RecordContent
    /// Its content after.
    package var after: RecordContent

    /// A repair of that record.
    package init(id: RecordID, before: RecordContent, after: RecordContent) {
      self.id = id
      self.before = before
      self.after = after
    }
  }

  /// Commands for a parent record and a child record, which refers to it.
  package struct FamilyLines: Hashable, Sendable {
    /// The command that makes the parent.
    package var parent: String
    /// The command that makes the child.
    package var child: String
    /// The command that edits the parent.
    package var edit: String
    /// The command that deletes the parent.
    package var deletion: String
    /// The ID of the parent.
    package var id: RecordID

    /// The commands for the parent with that ID and its child.
    package init(parent: String, child: String, edit: String, deletion: String, id: RecordID) {
      self.parent = parent
      self.child = child
      self.edit = edit
      self.deletion = deletion
      self.id = id
    }
  }

  /// The configuration of a simulated device's coordinator.
  package var simulatedConfiguration: CoordinatorConfiguration {
    var configuration = configuration
    if let policy = simulation.mergePolicy { configuration.merging.policy = policy }
    return configuration
  }
}
