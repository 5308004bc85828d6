import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSync
import ZoneKitTables

extension DeviceApp {
  /// Swiss Coin: a splitter of bills whose rows lie in the tables of a server that decides conflicts.
  package static var swissCoin: DeviceApp {
    var app = swissCoin("SwissCoin", .swissCoin)
    app.cloud = .tables(SwissCoin.tables)
    app.migration = .swissCoin
    app.photoEdits = CoinPhotos.edits
    return app
  }

  /// Swiss Coin over CloudKit's interface, where devices decide conflicts themselves by the order of rows. It tests the
  /// app apart from its tables.
  package static var swissCoinOverZones: DeviceApp {
    var configuration = CoordinatorConfiguration(mergePolicy: CoinMergePolicy.policy, stampField: .editedAt)
    configuration.merging.stamping = .together
    return swissCoin("SwissCoinOverZones", configuration)
  }

  private static func swissCoin(_ name: String, _ configuration: CoordinatorConfiguration) -> DeviceApp {
    var app = DeviceApp(
      name, configuration: configuration, container: SwissCoin.tables.container, zones: [SwissCoin.zoneID]
    ) { _ in RunningSwissCoin() }
    app.kinds = SwissCoin.schema.tables.map { Kind(TableWord($0).noun, type: $0.name) }
    app.commands = Commands(verbs: CoinCommand.verbs, help: CoinCommand.help)
    app.interchange = .swissCoin
    app.unreadableRows = { (view) throws(StoreError) in
      var book = Book()
      try book.read(SwissCoin.schema.tables.map(\.name), from: view)
      return book.refusedCount
    }
    app.simulation = SwissSimulation.part
    return app
  }
}

extension CoordinatorConfiguration {
  /// The settings of Swiss Coin's devices.
  static var swissCoin: CoordinatorConfiguration {
    var configuration = CoordinatorConfiguration(mergePolicy: CoinMergePolicy.policy, stampField: .editedAt)
    configuration.traits.feeds = .zones([SwissCoin.zoneID, ZoneID(zoneName: TableApp.journal)])
    configuration.traits.journalZone = ZoneID(zoneName: TableApp.journal)
    configuration.traits.arbiter = .cloud
    configuration.pacing.order = .sendFirst
    configuration.pacing.localChangesFetch = true
    configuration.traits.typeOrder = SwissCoin.schema.tables.map(\.name)
    configuration.merging.stamping = .together
    configuration.traits.announcedTypes = Set(SwissCoin.schema.tables.filter { $0.quiet != nil }.map(\.name))
    configuration.pushes.subscriptionID = nil
    configuration.merging.adoptionRule = CoinAdoption.rule
    configuration.limits.batch = 100
    configuration.limits.page = 200
    configuration.pacing.backoffFirst = 1_000
    configuration.pacing.backoffLimit = 300_000
    // An edit waits for 5 s without another one, the first one too. Events bring the pace of their table.
    configuration.pacing.paces = [
      .localChange: Pace(quiet: 5_000, limit: 30_000), .push: Pace(quiet: 300, limit: 1_000),
    ]
    return configuration
  }
}
