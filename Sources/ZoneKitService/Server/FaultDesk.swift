import ZoneKitEventLoop
import ZoneKitRecords
import ZoneKitWire

/// The faults of a running server, and pushes by hand.
package struct FaultDesk {
  private let server: (http: Address, key: String?)

  /// The server at that address; without one, the server of a data directory. Throws if none is running there.
  package init(at address: Address?, of data: DataDirectory) throws(StoresError) {
    let own = RunningServer.control(in: data)
    if let address {
      server = (address, own?.http == address ? own?.key : nil)
    } else if let own {
      server = own
    } else {
      throw .unavailable(
        "no server is running in \(data.cloud); start one with zonekit serve, or name it with --server")
    }
  }

  /// The faults of the plan, as JSON, with counts and notes.
  package func list() throws(StoresError) -> [JSON] {
    try ServerControl.ask(server, "GET", Self.path)["faults"]?.array ?? []
  }

  /// Adds the fault of a sentence to the end of the plan; the others keep their counts. Returns it as the server lists it.
  package func add(_ fault: Fault, _ sentence: String) throws(StoresError) -> JSON {
    let planned = PlannedFault(id: 0, fault: fault)
    let added = FaultDocument.json(of: [planned], sentence: { _ in sentence })["faults"]?.array ?? []
    let answer = try set(try list() + added)
    guard let last = answer.last else { throw .unavailable("the server did not take the fault") }
    return last
  }

  /// Removes the faults for which that is true. Returns how many there were.
  package func remove(where isMeant: (JSON) -> Bool) throws(StoresError) -> Int {
    let all = try list()
    let others = all.filter { !isMeant($0) }
    if others.count < all.count { _ = try set(others) }
    return all.count - others.count
  }

  /// Removes all faults, and resets the limits. Returns how many faults there were.
  package func clear() throws(StoresError) -> Int {
    let count = try list().count
    _ = try ServerControl.ask(server, "DELETE", Self.path)
    return count
  }

  /// The database of an account in which an operation acts: that with the zone which it names; otherwise `usual`. Throws if
  /// the account has no such zone, or several.
  package func database(
    for operation: Administration, of account: Name, usually usual: DatabaseID
  ) throws(StoresError) -> DatabaseID {
    guard let zone = operation.zoneID?.zoneName else { return usual }
    let zones = try ServerControl.ask(server, "GET", "/zonekit/status")["cloud"]?["zones"]?.array ?? []
    let own = zones.filter { [$0["user"]?.string, $0["account"]?.string].contains(account.text) }
    let found = own.filter { $0["name"]?.string == zone.text && $0["scope"]?.string == usual.scope.rawValue }
    guard let first = found.first, found.count == 1, let container = first["container"]?.string,
      let user = first["user"]?.string, let environment = first["environment"]?.string.flatMap(Environment.init)
    else {
      guard found.isEmpty else {
        throw .input("\(account) has a zone \(zone) in \(found.count) containers; reset zone has --container")
      }
      let names = Set(own.compactMap { $0["name"]?.string }).sorted()
      throw .input(
        "\(account) has no zone \(zone); " + (names.isEmpty ? "it has none" : "it has \(names.joined(separator: ", "))")
      )
    }
    return DatabaseID(container: Name(container), environment: environment, user: Name(user), scope: usual.scope)
  }

  /// Performs an administrator's operation, at once.
  package func administer(_ request: AdministrationRequest) throws(StoresError) {
    _ = try ServerControl.ask(server, "POST", "/zonekit/administration", request.json)
  }

  /// Delivers a payload by hand. Returns what happened at each receiver.
  package func push(_ payload: JSON, to receiver: String) throws(StoresError) -> [JSON] {
    try ServerControl.ask(server, "POST", "/zonekit/administration", PushDelivery(payload, to: receiver).json)[
      "receivers"]?.array ?? []
  }

  /// The names of the devices and watchers that the server knows, in ascending order.
  package func devices() throws(StoresError) -> [String] {
    let cloud = try ServerControl.ask(server, "GET", "/zonekit/status")["cloud"]
    let receivers = cloud?["receivers"]?.array ?? []
    let channels = cloud?["channels"]?.array ?? []
    let names = (receivers + channels).map { $0["name"] }
    return Set(names.compactMap { $0?.string }).sorted()
  }

  private func set(_ faults: [JSON]) throws(StoresError) -> [JSON] {
    try ServerControl.ask(server, "PUT", Self.path, ["faults": .array(faults)])["faults"]?.array ?? []
  }

  private static let path = "/zonekit/faults"
}
