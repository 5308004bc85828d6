import ZoneKitPush
import ZoneKitRecords
import ZoneKitSync

/// A world's beginning and what is done to it then: all that is needed to see the same again.
package struct Story: Sendable {
  /// One device at the beginning.
  package struct Cast: Hashable, Sendable {
    /// Its name.
    package var name: String
    /// Who is signed in.
    package var account: Name?

    /// That device.
    package init(name: String, account: Name?) {
      self.name = name
      self.account = account
    }
  }

  /// Decides what is left to chance.
  package var seed: UInt64
  /// The devices; all are started at the beginning.
  package var cast: [Cast]
  /// The app on all of them.
  package var app: SimulatedApp
  /// The cloud's limits.
  package var limits = Limits()
  /// The push service's behaviour.
  package var policy = PushGateway.Policy()
  /// What is done, in order.
  package var deeds: [Deed] = []

  /// A story without deeds.
  package init(seed: UInt64, cast: [Cast], app: SimulatedApp) {
    self.seed = seed
    self.cast = cast
    self.app = app
  }

  /// The world at the beginning, with every device started and nothing done yet.
  package func world(keepsEvents: Bool = false) throws(StoreError) -> World {
    var options = World.Options()
    options.seed = seed
    options.limits = limits
    options.policy = policy
    options.container = app.container
    options.keepsEvents = keepsEvents
    var world = World(options)
    for member in cast { try world.addDevice(named: member.name, app: app, account: member.account) }
    for device in cast.indices { world.start(device) }
    return world
  }
}
