import ZoneKitRecords

/// Writes and reads the members of an error, at the top of an answer or in an item (CloudKit Web Services, d).
package enum ErrorCodec {
  /// An extension: the native error code, if several native codes share a web code. So a device can distinguish an
  /// expired change token from a malformed one, although both are BAD_REQUEST on the web.
  static let nativeCodeKey = "nativeCode"

  /// An extension: the token expired because the cloud lost changes.
  static let lossKey = "changesLost"

  /// An extension: why and when somebody ended the zone that the client knows.
  static let reasonKey = "deletionReason", timeKey = "deletionTime"

  /// The longest retry time that is accepted, in seconds: about thirty years.
  private static let longestWait = 1e9

  /// Appends `"serverErrorCode":…,"reason":…` and what else is known, without braces.
  static func appendMembers(_ error: CloudError, to output: inout [UInt8]) {
    let web = WebErrorCode(error.code)
    output.append(literal: "\"serverErrorCode\":\"")
    output.append(literal: web.rawValue)
    output.append(literal: "\",\"reason\":")
    output.appendJSONString(error.reason.errorText)
    if let wait = error.retryAfterMilliseconds {
      output.append(literal: ",\"retryAfter\":")
      output.append(literal: seconds(wait))
    }
    if web.native != error.code {
      output.append(literal: ",\"\(nativeCodeKey)\":")
      output.appendJSONString(error.code.rawValue)
    }
    if error.isAfterLoss { output.append(literal: ",\"\(lossKey)\":true") }
    if let ending = error.ending { appendMembers(ending, to: &output) }
  }

  /// Appends what is known of the end of a zone, behind another member. Without a reason a client deleted it.
  static func appendMembers(_ ending: ZoneEnding, to output: inout [UInt8]) {
    if ending.reason != .deleted {
      output.append(literal: ",\"\(reasonKey)\":")
      output.appendJSONString(ending.reason.rawValue)
    }
    if let at = ending.at { output.append(literal: ",\"\(timeKey)\":\(at.milliseconds)") }
  }

  /// The end of a zone in a JSON object; nil if it contains none.
  static func ending(_ json: JSON) -> ZoneEnding? {
    let reason = json[reasonKey]?.string.flatMap(ZoneDeletion.init)
    let time = json[timeKey]?.number.flatMap { Int64(exactly: $0) }.map { WallTime(milliseconds: $0) }
    return reason == nil && time == nil ? nil : ZoneEnding(reason ?? .deleted, at: time)
  }

  /// The body of an answer with an error of the whole request. Clients recognise an error only if uuid, code and reason
  /// are present (CloudKit Web Services, d.1).
  package static func body(_ error: CloudError, uuid: String, redirectURL: String? = nil) -> [UInt8] {
    var output: [UInt8] = []
    output.append(literal: "{\"uuid\":")
    output.appendJSONString(uuid)
    output.append(UInt8(ascii: ","))
    appendMembers(error, to: &output)
    if let redirectURL {
      output.append(literal: ",\"redirectURL\":")
      output.appendJSONString(redirectURL)
    }
    output.append(UInt8(ascii: "}"))
    return output
  }

  /// The error in a JSON object; nil if it contains none.
  static func read(_ json: JSON) -> CloudError? {
    guard let text = json["serverErrorCode"]?.string else { return nil }
    let native = json[nativeCodeKey]?.string.flatMap(CloudErrorCode.init(rawValue:))
    let code = native ?? WebErrorCode(rawValue: text)?.native ?? .internalError
    let wait = json["retryAfter"]?.number.map { Int64((min(max($0, 0), longestWait) * 1000).rounded()) }
    var error = CloudError(code, json["reason"]?.string ?? text, retryAfterMilliseconds: wait)
    error.isAfterLoss = json[lossKey]?.bool ?? false
    error.ending = ending(json)
    return error
  }

  /// Whole seconds if that is exact, otherwise with a fraction.
  private static func seconds(_ milliseconds: Int64) -> String {
    milliseconds % 1000 == 0 ? String(milliseconds / 1000) : String(Double(milliseconds) / 1000)
  }
}
