import ZoneKitCloud
import ZoneKitDeviceHost
import ZoneKitDocuments
import ZoneKitEventLoop
import ZoneKitPush
import ZoneKitRecords
import ZoneKitTableServer
import ZoneKitTables
import ZoneKitWire

/// The options of a server.
package struct ServerOptions {
  /// The data directory of the cloud.
  package var data: DataDirectory
  /// The address for requests.
  package var http: Address
  /// The address for pushes.
  package var push: Address
  /// The sockets that a service manager has opened at those addresses; empty if the server opens them itself.
  package var passedSockets: [PassedSocket] = []
  /// How clients authenticate.
  package var authentication: Authentication.Mode
  /// Whether keys of servers may use private and shared databases.
  package var opensPrivateToKeys = false
  /// How far the date of a signed request may be from the server's clock, in seconds.
  package var dateTolerance: Int64 = 600
  /// The limits of the cloud.
  package var limits = Limits()
  /// How the cloud differs from one that accepts everything that clients are known to send.
  package var rules = CloudPolicy()
  /// The share of changes whose push also goes to the device that made the change, from 0 to 1 (sync semantics, 2.1).
  package var originLeak = 0.0
  /// The time for which silent pushes to a connected device are collected before they are sent together, in
  /// milliseconds; 0 for not at all.
  package var pushBurst: Int64 = 0
  /// Which push is stored for a device that is not connected.
  package var pushSlot = PushGateway.SlotPolicy.newest
  /// The protocols of the server. Each has its own first path segments.
  package var adapters: [any ProtocolAdapter] = [CloudKitAdapter()]
  /// The app whose tables the server has; nil for none.
  package var tables: TableApp?
  /// The tables of a user's own schema; nil for none. They are those of `tables`, which is then `TableApp.own`.
  package var ownTables: OwnTables?
  /// The app whose documents the server has; nil for none.
  package var documents: DocumentApp?
  /// How long an access token of an account is valid, in seconds.
  package var tokenLife: Int64 = 3_600
  /// Called with each line of the log; nil for no log.
  package var onLog: ((ServerLogLine) -> Void)?
  /// The apps of the program, and those of stores that such apps made, for the live page.
  package var apps: @Sendable ([StoreOwner]) -> [DeviceApp] = { _ in [] }
  /// Carries out lines of the program for the live page; nil for a server that does not.
  package var pageVerb: PageVerb?
  /// The program's version, for the status report.
  package var version: String

  /// The policy of the push gateway for these options.
  var pushPolicy: PushGateway.Policy {
    PushGateway.Policy(
      isOpen: authentication == .open, leakRate: originLeak, slot: pushSlot, burstWindow: pushBurst,
      retiresReplacedTokens: true)
  }

  /// Who may send what.
  var access: Authentication {
    var access = Authentication(mode: authentication, .libcrypto)
    access.opensPrivateToKeys = opensPrivateToKeys
    access.dateTolerance = dateTolerance * 1000
    access.refusesMixedCredentials = rules.strictness.contains(.oneCredential)
    return access
  }

  /// The containers of tables and documents, which a strict server closes to CloudKit Web Services: there everyone can
  /// write any name as that of the caller.
  var closedContainers: Set<Name> {
    authentication == .strict ? Set([tables?.container, documents?.container].compactMap(\.self)) : []
  }

  /// The limits of accounts. Tests sign in more often than people.
  var accountLimits: AccountLimits { AccountLimits(signIns: authentication == .open ? 300 : 30) }

  /// The address on which an open server must not listen, because without real credentials everyone who reaches it may
  /// change anything; nil if there is none.
  package var exposedAddress: Address? {
    authentication == .open ? [http, push].first { !$0.isLoopback } : nil
  }
  /// The file descriptors that the server divides between its files and its connections; nil for all that its process may
  /// have. Several servers of one process need parts.
  package var descriptors: UInt64?

  /// Whether SIGTERM and SIGINT end the server.
  package var endsAtSignals = true

  /// The socket that is open at that address; nil if the server opens it itself.
  func passedSocket(at address: Address) -> PassedSocket? { passedSockets.first { $0.address == address } }

  /// The options of a server with that data directory.
  package init(
    data: DataDirectory, http: Address, push: Address, authentication: Authentication.Mode, version: String
  ) {
    self.data = data
    self.http = http
    self.push = push
    self.authentication = authentication
    self.version = version
  }

  /// The file descriptors that the server divides. Throws if the limit of the process cannot be read.
  func descriptorsToDivide() throws(LoopError) -> UInt64 {
    guard let descriptors else { return try OpenFileLimit.raise() }
    return descriptors
  }

  /// Adds the protocols of those apps that the server does not speak yet.
  package mutating func speak(to apps: [DeviceApp]) {
    for adapter in apps.compactMap(\.adapter) where !adapters.contains(where: { $0.roots == adapter.roots }) {
      adapters.append(adapter)
    }
  }
}
