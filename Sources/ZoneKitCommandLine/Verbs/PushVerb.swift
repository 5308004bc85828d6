import ZoneKitEventLoop
import ZoneKitRecords
import ZoneKitService
import ZoneKitStorage
import ZoneKitWire

/// `zonekit push`: delivers a payload to a device.
enum PushVerb {
  static let spec = VerbSpec(
    "push", "DEVICE PAYLOAD.json", summary: "deliver a push payload to a running device (- reads standard input)",
    details: "The payload is what a device gets from the push service: an object with aps and ck, at most 4096 bytes.",
    examples: ["zonekit push B payload.json", "echo '{\"aps\":{\"content-available\":1}}' | zonekit push B -"], run: run
  )

  private static func run(_ words: Invocation) throws(ExitFailure) -> Int32 {
    let operands = try words.operands("DEVICE", "PAYLOAD.json")
    let payload = try payload(from: operands[1])
    let answer: JSON
    do throws(StoresError) {
      let folder = try StoppedDevice.folder(of: operands[0], in: DataDirectory(words.dataDirectory))
      guard let address = ControlClient.address(ofDeviceIn: folder) else {
        throw StoresError.unavailable("device \(operands[0]) is not running; zonekit device \(operands[0]) starts it")
      }
      answer = try ask(payload, at: address)
    } catch {
      throw ExitFailure(error)
    }
    if let reason = answer["error"]?["message"]?.string { throw .input("\(operands[1]): \(reason)") }
    Console.print(
      words.wantsJSON
        ? JSON.object([
          JSON.Member("event", "pushed"), JSON.Member("device", .string(operands[0])),
          JSON.Member("bytes", .integer(Int64(payload.bytes().count))),
        ]).text() : "delivered to \(operands[0])")
    return 0
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
    do {
      let json = try JSON(parsing: bytes)
      _ = try PushNotification(payload: json)
      return json
    } catch {
      throw .input("\(path) is no payload: \(error)")
    }
  }
}
