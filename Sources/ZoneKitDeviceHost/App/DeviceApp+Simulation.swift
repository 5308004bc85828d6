import ZoneKitRecords
import ZoneKitSync

extension DeviceApp {
  /// What a simulation needs of an app and a real device does not: judgements on what its rules decided, and random lines.
  /// An app that leaves it empty can be simulated by scenarios.
  package struct Simulation: Sendable {
    /// The merge policy of simulated devices, where it is another than the configuration's: one that checks its decisions.
    package var mergePolicy: MergePolicy?
    /// The app's objection to a conflict's decision, in a sentence; nil where the decision is right.
    package var judge: @Sendable (ConflictEntry) -> String? = { _ in nil }
    /// The app's objection to a repair that its rules made, in a sentence; nil where it is right.
    package var judgeRepair: @Sendable (Repaired, AppView) -> String? = { _, _ in nil }
    /// What is wrong with a record that no rule may leave behind, in a sentence; nil where nothing is.
    package var flaw: @Sendable (RecordContent) -> String? = { _ in nil }
    /// A line of the app's own commands as a user may type it, made from random bits that the argument draws; `@1`,
    /// `@2` ... mean records that are there. Nil where the app takes part in no random story.
    package var randomLine: (@Sendable (_ draw: () -> UInt64) -> String)?
    /// The lines about two records of which the second cannot be without the first, for random stories; the number makes
    /// their names. Nil where the app has no such records.
    package var familyLines: (@Sendable (Int) -> FamilyLines)?

    /// Nothing.
    package init() {}
  }

  /// A record before and after a repair by the app's rules.
  package struct Repaired: Sendable {
    /// The record.
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

  /// Lines about two records of which the second cannot be without the first.
  package struct FamilyLines: Hashable, Sendable {
    /// Makes the first.
    package var parent: String
    /// Makes the second.
    package var child: String
    /// Edits the first.
    package var edit: String
    /// Deletes the first.
    package var deletion: String
    /// The first.
    package var id: RecordID

    /// Those lines about the record of that ID and another.
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
    if let policy = simulation.mergePolicy { configuration.mergePolicy = policy }
    return configuration
  }
}
