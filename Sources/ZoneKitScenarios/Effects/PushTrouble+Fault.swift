import ZoneKitRecords

extension PushTrouble {
  /// The fault for the plan of a server or of a device in virtual time. Devices are named as the scenario names them.
  package var fault: Fault {
    var scope = FaultScope(zoneName: zone.map { Name($0) })
    scope.receiver = receiver
    scope.author = author
    // Its name lets a scenario end all faults of the pushes to a device.
    return Fault(
      .push(action), on: scope, name: Self.name(to: receiver), times: count.limit, perMille: percent * 10)
  }

  /// The name of all faults of the pushes to a device.
  package static func name(to receiver: String) -> String { namePrefix + receiver }

  /// The beginning of the names of all faults of pushes.
  package static let namePrefix = "pushes to "
}
