import ZoneKitDocuments
import ZoneKitRecords
import ZoneKitSync
import ZoneKitTables
import ZoneKitWire

/// An app, for real and simulated devices alike: its data, commands, rules and files.
///
/// It is a value without state. An app shows what the device's store holds, so it needs no state of its own after a
/// restart.
package struct DeviceApp: Sendable {
  /// The name of the app on the command line, in scenarios and in a device's store.
  package var name: String
  /// The configuration of the coordinator.
  package var configuration: CoordinatorConfiguration
  /// The container of the app's databases.
  package var container: Name
  /// The zones to which the app writes.
  package var zones: [ZoneID]
  /// The cloud of the app's devices. The default is one of zones over CloudKit Web Services.
  package var cloud = CloudService.zones(CloudKitAdapter())
  /// The file that describes the app's data; nil for an app that the program knows without one.
  package var describingFile: DescribingFile?
  /// The container, if its user chose another one than the app's usual one.
  package var chosenContainer: Name?
  /// The kinds of records for which the app has a word. An app with kinds has the command `edit NAME ...`.
  package var kinds: [Kind] = []
  /// The app's own commands.
  package var commands = Commands()
  /// Starts the app with the records of a store. Throws if the store cannot be read.
  package var launch: @Sendable (AppView) throws(StoreError) -> any RunningApp
  /// The format of the app's files; nil if the app has no export and import.
  package var interchange: Interchange?
  /// How local rows are uploaded after a sign-in; nil if they are sent as any other change, without a comparison.
  package var migration: MigrationPlan?
  /// The edits that set the photo of a record to the path of an object, or remove it if nil; nil if the app has no photos.
  package var photoEdits: PhotoEdits?
  /// Counts the rows of a store that the app cannot read and leaves out; nil if it reads all records.
  package var unreadableRows: (@Sendable (AppView) throws(StoreError) -> Int)?
  /// Whether the device's status begins with a line about its syncing.
  package var hasSyncLine = false
  /// What only a simulation needs of the app.
  package var simulation = Simulation()

  /// The conversation of the app's devices with their cloud. It may use only requests that `cloud` answers.
  package var conversation: any Conversation {
    get { configuration.traits.conversation }
    set { configuration.traits.conversation = newValue }
  }

  /// Makes the edits that set the photo of a record to the path of an object, or remove it if nil. There are none if the
  /// record is gone.
  package typealias PhotoEdits = @Sendable (RecordID, String?, AppView) throws(StoreError) -> [RecordEdit]

  /// The cloud of an app's devices.
  package enum CloudService: Sendable {
    /// A cloud of zones and records, over that protocol.
    case zones(any ProtocolAdapter)
    /// A table server with that app's tables.
    case tables(TableApp)
    /// A server with that app's documents, over that protocol. Push tokens and subscriptions go over CloudKit Web Services.
    case documents(DocumentApp, over: DocumentWire = .rest)
  }

  /// A kind of records.
  package struct Kind: Hashable, Sendable {
    /// The app's word for it, in lowercase.
    package var word: String
    /// The record type.
    package var type: Name

    /// A kind with that word and record type.
    package init(_ word: String, type: Name) {
      self.word = word
      self.type = type
    }
  }

  /// The commands of an app on a device's console.
  package struct Commands: Hashable, Sendable {
    /// The first words of all commands.
    package var verbs: [String]
    /// The lines of the help page.
    package var help: [String]

    /// Commands with those first words and help.
    package init(verbs: [String] = [], help: [String] = []) {
      self.verbs = verbs
      self.help = help
    }
  }

  /// An app without kinds, commands, files and checks, which can be set afterwards.
  package init(
    _ name: String, configuration: CoordinatorConfiguration, container: Name = "iCloud.com.example.app",
    zones: [ZoneID], launch: @escaping @Sendable (AppView) throws(StoreError) -> any RunningApp
  ) {
    self.name = name
    self.configuration = configuration
    self.container = container
    self.zones = zones
    self.launch = launch
  }

  /// The protocol of a cloud of zones; nil for other clouds.
  package var adapter: (any ProtocolAdapter)? {
    if case .zones(let adapter) = cloud { adapter } else { nil }
  }

  /// Whether the app's rows lie in the tables of a server.
  package var hasTables: Bool { if case .tables = cloud { true } else { false } }

  /// Whether the app's records lie in the zones of a cloud.
  package var hasZones: Bool { if case .zones = cloud { true } else { false } }

  /// The app's documents on a server; nil for other clouds.
  package var documents: DocumentApp? { if case .documents(let app, _) = cloud { app } else { nil } }

  /// Whether the app has that name. Case and hyphens do not matter.
  package func isNamed(_ name: String) -> Bool { Self.plain(name) == Self.plain(self.name) }

  private static func plain(_ name: String) -> String { name.lowercased().filter { $0 != "-" } }

  /// The user's database that the app's devices sync.
  package func database(of user: Name, in environment: Environment = .development) -> DatabaseID {
    DatabaseID(container: container, environment: environment, user: user, scope: configuration.traits.scope)
  }
}
