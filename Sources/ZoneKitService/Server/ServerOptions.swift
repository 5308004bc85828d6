import ZoneKitEventLoop
import ZoneKitPush
import ZoneKitRecords
import ZoneKitWire

/// What can be chosen about a server.
package struct ServerOptions {
  /// Where the cloud is kept.
  package var data: DataDirectory
  /// Where CloudKit Web Services are served.
  package var http: Address
  /// Where devices wait for pushes.
  package var push: Address
  /// Who may come in, and how.
  package var authentication: Authentication.Mode
  /// What the cloud allows.
  package var limits = Limits()
  /// How often the device that made a change gets its push too, from 0 to 1 (sync semantics, 2.1).
  package var originLeak = 0.0
  /// For how many milliseconds silent pushes for a connected device are gathered before they go out in one burst; 0 gathers
  /// none.
  package var pushBurst: Int64 = 0
  /// Which push is stored for a device that is away.
  package var pushSlot = PushGateway.SlotPolicy.newest
  /// Whether a device's new push token ends its older ones.
  package var retiresPushTokens = false
  /// The protocols that the server speaks; each has its own first path segments.
  package var adapters: [any ProtocolAdapter] = [CloudKitAdapter()]
  /// The program's version, for the status report.
  package var version: String

  /// What can be set about the push service's behaviour.
  var pushPolicy: PushGateway.Policy {
    PushGateway.Policy(
      isOpen: authentication == .open, leakRate: originLeak, slot: pushSlot, burstWindow: pushBurst,
      retiresReplacedTokens: retiresPushTokens)
  }

  /// The address that an open server must not listen on, because without real credentials anybody who reaches it may do
  /// anything with it; nil where there is none.
  package var exposedAddress: Address? {
    authentication == .open ? [http, push].first { !$0.isLoopback } : nil
  }

  /// The options of a server over that folder.
  package init(
    data: DataDirectory, http: Address, push: Address, authentication: Authentication.Mode, version: String
  ) {
    self.data = data
    self.http = http
    self.push = push
    self.authentication = authentication
    self.version = version
  }
}
