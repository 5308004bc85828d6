import ZoneKitEventLoop
import ZoneKitRecords
import ZoneKitService
import ZoneKitStorage
import ZoneKitWire

/// `zonekit push`: delivers a payload to a device.
enum PushVerb {
  static let spec = VerbSpec(
    "push", "DEVICE|TOKEN PAYLOAD.json",
    summary: "deliver a push payload to a device or a client by hand (- reads standard input)",
    details: """
      The payload is what a device gets from the push service: an object with aps or ck, at most 4096 bytes. A running device
      of DIR gets it at once. Any other receiver gets it from the running server, over the push socket: a device by the name
      or ID that it gave, or any client by its push token. A client that is registered and not connected gets it when it
      connects; the answer says so. A client of the tables gets the payload on the channels that it has joined, as the
      broadcast push; a payload with event and payload (and topic, if only one channel is meant) arrives as that message.
      """,
    options: [DeviceVerb.serverOption],
    examples: [
      "zonekit push B payload.json", "echo '{\"aps\":{\"content-available\":1}}' | zonekit push B -",
      "zonekit push d7 payload.json --server http://127.0.0.1:7440",
    ], run: run)

  private static func run(_ words: Invocation) throws(ExitFailure) -> Int32 {
    let operands = try words.operands("DEVICE|TOKEN", "PAYLOAD.json")
    let payload = try payload(from: operands[1])
    let (receiver, data) = (operands[0], DataDirectory(words.dataDirectory))
    let address = try DeviceVerb.address(words.value("--server"), of: "--server")
    let isOfChannels = PushDelivery(payload, to: receiver).isOfChannels
    if address == nil, !isOfChannels, let folder = try? StoppedDevice.folder(of: receiver, in: data),
      let control = ControlClient.address(ofDeviceIn: folder)
    {
      let answer = try ExitFailure.from { () throws(StoresError) in try ask(payload, at: control) }
      if let reason = answer["error"]?["message"]?.string { throw .input("\(operands[1]): \(reason)") }
      report(receiver, "delivered", nil, payload, words)
      return 0
    }
    if address == nil, RunningServer.addresses(in: data) == nil,
      (try? StoppedDevice.folder(of: receiver, in: data)) != nil
    {
      throw .unavailable("device \(receiver) is not running; zonekit device \(receiver) starts it")
    }
    let outcomes = try ExitFailure.from { () throws(StoresError) in
      try deliver(payload, to: receiver, at: address, data)
    }
    for outcome in outcomes {
      let why = (outcome["reason"] ?? outcome["fault"])?.string
      report(outcome["device"]?.string ?? receiver, outcome["outcome"]?.string ?? "", why, payload, words)
    }
    return outcomes.allSatisfy { !["discarded", "dropped"].contains($0["outcome"]?.string) } ? 0 : 1
  }

  /// Delivers a payload over the push socket of a server. Throws if none is running and no running device has that name.
  private static func deliver(
    _ payload: JSON, to receiver: String, at address: Address?, _ data: DataDirectory
  ) throws(StoresError) -> [JSON] {
    let desk: FaultDesk
    do {
      desk = try FaultDesk(at: address, of: data)
    } catch {
      // Without a server only a device of the directory can be meant.
      _ = try StoppedDevice.folder(of: receiver, in: data)
      throw error
    }
    return try desk.push(payload, to: receiver)
  }

  private static func report(
    _ receiver: String, _ outcome: String, _ why: String?, _ payload: JSON, _ words: Invocation
  ) {
    guard !words.wantsJSON else {
      return Console.print(
        JSON(known: [
          "event": "pushed", "device": .string(receiver), "outcome": .string(outcome),
          "reason": why.map { .string($0) }, "bytes": .integer(Int64(payload.bytes().count)),
        ]).text())
    }
    let reason = why.map { ": \($0)" } ?? ""
    switch outcome {
    case "delivered": Console.print("delivered to \(receiver)\(reason)")
    case "stored": Console.print("stored for \(receiver), which is not connected\(reason)")
    case "held": Console.print("held for \(receiver), whose connection is slow\(reason)")
    case "dropped": Console.print("not delivered to \(receiver): a fault of the server, \(why ?? "lost")")
    default: Console.print("\(outcome) for \(receiver)\(reason)")
    }
  }

  private static func ask(_ payload: JSON, at address: Address) throws(StoresError) -> JSON {
    do {
      return try ControlClient.ask(payload, at: address)
    } catch {
      throw StoresError.unavailable(error.description)
    }
  }

  private static func payload(from path: String) throws(ExitFailure) -> JSON {
    let bytes = try InputFile.read(path)
    guard bytes.count <= PushNotification.payloadLimit else {
      throw .input("\(path) has \(bytes.count) bytes; a payload has at most \(PushNotification.payloadLimit)")
    }
    let json: JSON
    do {
      json = try JSON(parsing: bytes)
    } catch {
      throw .input("\(path) is no payload: \(error)")
    }
    if let problem = PushDelivery.problem(with: json) { throw .input("\(path) is no payload: \(problem)") }
    return json
  }
}
