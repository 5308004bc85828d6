import ZoneKitRecords
import ZoneKitSync

/// An app as devices run it, real and simulated ones alike: its data, its commands, its rules and its files.
///
/// It is a value without state. What an app shows is what the device's store holds, so that a restart needs nothing.
package struct DeviceApp: Sendable {
  /// The name by which the command line, scenarios and a device's store call the app.
  package var name: String
  /// The configuration of the app's coordinator.
  package var configuration: CoordinatorConfiguration
  /// The container that the app's devices use.
  package var container: Name
  /// The zones that the app writes to.
  package var zones: [ZoneID]
  /// The app's words for its kinds of records. An app that has any knows the command `edit NAME ...`.
  package var kinds: [Kind] = []
  /// The app's own commands.
  package var commands = Commands()
  /// Starts the app over what a store holds. Throws where the store cannot be read.
  package var launch: @Sendable (AppView) throws(StoreError) -> any RunningApp
  /// The app's files for export and import; nil where it has none.
  package var interchange: Interchange?
  /// What only a simulation needs of the app.
  package var simulation = Simulation()

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

  /// The commands of an app, as a device's console offers them.
  package struct Commands: Hashable, Sendable {
    /// The first words of all commands.
    package var verbs: [String]
    /// The lines of the help page.
    package var help: [String]

    /// Commands that begin with those words.
    package init(verbs: [String] = [], help: [String] = []) {
      self.verbs = verbs
      self.help = help
    }
  }

  /// An app without kinds, commands, files or a part for simulations; each can be set afterwards.
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

  /// The database of a user that the app's devices sync.
  package func database(of user: Name, in environment: Environment = .development) -> DatabaseID {
    DatabaseID(container: container, environment: environment, user: user, scope: configuration.scope)
  }
}
