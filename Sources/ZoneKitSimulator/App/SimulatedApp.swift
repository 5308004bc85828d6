import ZoneKitRecords
import ZoneKitSync

/// An app that runs on the devices of a world: what it tells its coordinator, what its commands write, and what it does
/// when the cloud changed something.
///
/// It keeps no state of its own: what it shows is what the device's store holds, so that a restart needs nothing.
package struct SimulatedApp: Sendable {
  /// What the app tells its coordinator.
  package var configuration: CoordinatorConfiguration
  /// The container that its devices use.
  package var container: Name
  /// The zones that the app writes to.
  package var zones: [ZoneID]
  /// The edits that a line of the app's own commands asks for. Throws with a sentence where the line is wrong or cannot be
  /// done now.
  package var perform: @Sendable (String, AppView, inout SplitMix64) throws(AppRefusal) -> [RecordEdit]
  /// The edits with which the app's rules answer what a merge left, such as two running actions; none where all is well.
  package var repairs: @Sendable (AppView) -> [RecordEdit]
  /// What the app has against a conflict's decision, in a sentence; nil where the decision is right.
  package var judge: @Sendable (ConflictEntry) -> String?
  /// What the app has against a repair that its rules made of a record, in a sentence; nil where it is right.
  package var judgeRepair: @Sendable (Repaired, AppView) -> String? = { _, _ in nil }
  /// What is wrong with a record whatever became of it, in a sentence; nil where nothing is.
  package var flaw: @Sendable (RecordContent) -> String? = { _ in nil }

  /// What the app's rules made of one record.
  package struct Repaired: Sendable {
    /// The record.
    package var id: RecordID
    /// What it was.
    package var before: RecordContent
    /// What it is.
    package var after: RecordContent
  }

  /// The app's words for its kinds of records. An app that has any knows the command `edit NAME ...`.
  package var kinds: [Kind] = []

  /// One kind of records.
  package struct Kind: Hashable, Sendable {
    /// The app's word for it, in small letters.
    package var word: String
    /// The records' type.
    package var type: Name

    /// That word for records of that type.
    package init(_ word: String, type: Name) {
      self.word = word
      self.type = type
    }
  }

  /// A line of the app's own commands as a user may type it, for random stories; `@1`, `@2` ... mean records that are
  /// there. Nil where the app takes part in none.
  package var randomLine: (@Sendable (inout SplitMix64) -> String)?

  /// The lines about two records of which the second cannot be without the first, for random stories; the number makes
  /// their names. Nil where the app has no such records.
  package var familyLines: (@Sendable (Int) -> FamilyLines)?

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
  }

  /// An app with that configuration and those commands, and without rules of its own.
  package init(
    configuration: CoordinatorConfiguration, container: Name = "iCloud.com.example.app", zones: [ZoneID],
    perform: @escaping @Sendable (String, AppView, inout SplitMix64) throws(AppRefusal) -> [RecordEdit],
    repairs: @escaping @Sendable (AppView) -> [RecordEdit] = { _ in [] },
    judge: @escaping @Sendable (ConflictEntry) -> String? = { _ in nil },
    randomLine: (@Sendable (inout SplitMix64) -> String)? = nil
  ) {
    self.configuration = configuration
    self.container = container
    self.zones = zones
    self.perform = perform
    self.repairs = repairs
    self.judge = judge
    self.randomLine = randomLine
  }
}

/// What an app sees of its device.
package struct AppView {
  /// The device's store.
  package let store: MemoryDeviceStore
  /// Who is signed in; nil where nobody is.
  package let account: Name?
  /// The device's wall clock.
  package let wall: WallTime
}

/// Why an app does not do what a line asks for.
package struct AppRefusal: Error, Hashable, CustomStringConvertible {
  /// What is wrong and what would be right.
  package let description: String

  /// A refusal in those words.
  package init(_ description: String) { self.description = description }
}
