import ZoneKitRecords
import ZoneKitSync

/// A device's part of the diagnostics dump, as JSON.
package enum DeviceReport {
  /// A running device's answer to a request for diagnostics: one line with an object of `device` and `traces`, or of
  /// `error` if its store cannot be read.
  static func answer(of device: DeviceClient) -> [UInt8] {
    let answer: JSON
    do {
      let diagnostics = try device.diagnostics()
      answer = ["device": try device.report(diagnostics), "traces": .array(traces(diagnostics))]
    } catch {
      answer = ["error": .string("\(error)")]
    }
    return answer.bytes() + [UInt8(ascii: "\n")]
  }

  /// The device's entry in the dump's `devices`.
  package static func device(_ diagnostics: DeviceDiagnostics) -> JSON {
    [
      "name": .string(diagnostics.name), "user": text(diagnostics.user?.text),
      "state": .string(diagnostics.state.rawValue), "running": .bool(diagnostics.state != .notRunning),
      "push": push(diagnostics.push), "fetch": fetch(diagnostics.fetch),
      "send": send(diagnostics.send), "subscription": subscription(diagnostics.subscription),
      "conflicts": conflicts(diagnostics.conflicts), "clock": ["offset": number(diagnostics.clockOffset)],
      "counts": .object(
        diagnostics.counts.map { JSON.Member($0.recordType.text, .integer(Int64($0.count))) }),
    ]
  }

  /// The device's entries in the dump's `traces`, newest first.
  package static func traces(_ diagnostics: DeviceDiagnostics) -> [JSON] {
    diagnostics.traces.map { .object(trace($0) + [JSON.Member("on", .string(diagnostics.name))]) }
  }

  /// The members of a trace, without the device that received the change.
  static func trace(_ trace: ChangeTrace) -> [JSON.Member] {
    let members: [(String, JSON)] = [
      ("change", .string("\(trace.recordID.recordName)@\(trace.changeTag.text)")),
      ("record", .string(trace.recordID.recordName.text)), ("device", .string(trace.deviceID)),
      ("committedAt", time(trace.committedAt)), ("notifiedAt", time(trace.notifiedAt)),
      ("receivedAt", time(trace.receivedAt)), ("fetchedAt", time(trace.fetchedAt)),
      ("mergedAt", time(trace.mergedAt)),
    ]
    return members.map { JSON.Member($0.0, $0.1) }
  }

  // MARK: Parts

  private static func push(_ push: DeviceDiagnostics.Push) -> JSON {
    [
      "lastReceivedAt": time(push.lastReceivedAt), "lastNotificationID": text(push.lastNotificationID),
      "lastSentAt": time(push.lastSentAt), "lastHandledAt": time(push.lastHandledAt),
      "lastLedToChangeAt": time(push.lastLedToChangeAt), "received": .integer(push.received),
      "duplicates": .integer(push.duplicates), "unknownSubscription": .integer(push.unknownSubscription),
      "otherAccount": .integer(push.otherAccount), "withoutID": .integer(push.withoutID),
      "drought": .bool(push.drought), "socket": push.socket.map(socket) ?? .null,
    ]
  }

  private static func socket(_ socket: DeviceDiagnostics.Socket) -> JSON {
    ["connected": .bool(socket.isConnected), "since": time(socket.since), "reason": text(socket.reason)]
  }

  private static func fetch(_ fetch: DeviceDiagnostics.Fetch) -> JSON {
    [
      "lastStartedAt": time(fetch.lastStartedAt), "lastFinishedAt": time(fetch.lastFinishedAt),
      "lastSucceededAt": time(fetch.lastSucceededAt), "lastReason": text(fetch.lastReason),
      "lastResult": text(fetch.lastResult), "records": .integer(fetch.records), "pages": .integer(fetch.pages),
      "tokenAge": number(fetch.tokenAge),
    ]
  }

  private static func send(_ send: DeviceDiagnostics.Send) -> JSON {
    [
      "lastAt": time(send.lastAt), "pending": .integer(Int64(send.pending)),
      "oldestPendingAt": time(send.oldestPendingAt),
      "quarantined": .array(
        send.quarantined.map { ["record": .string($0.recordID.recordName.text), "reason": .string($0.reason)] }),
      "retryAfter": time(send.retryAfter),
    ]
  }

  private static func subscription(_ subscription: DeviceDiagnostics.Subscription) -> JSON {
    [
      "id": text(subscription.id), "state": .string(subscription.state.rawValue),
      "origin": text(subscription.origin?.rawValue), "verifiedAt": time(subscription.verifiedAt),
      "error": text(subscription.error),
    ]
  }

  private static func conflicts(_ conflicts: DeviceDiagnostics.Conflicts) -> JSON {
    [
      "total": .integer(conflicts.total),
      "last": .array(conflicts.last.map(conflict)),
      "storm": text(conflicts.storm),
    ]
  }

  /// An entry of the conflict journal.
  static func conflict(_ entry: ConflictEntry) -> JSON {
    [
      "record": .string(entry.recordID.recordName.text), "at": time(entry.at),
      "winner": .string(entry.winner.rawValue), "rule": .string(entry.rule), "local": fields(entry.local),
      "server": fields(entry.server),
    ]
  }

  // MARK: Values

  /// The plain values of the fields by name, with times as ISO 8601; null for a deleted version.
  private static func fields(_ content: RecordContent?) -> JSON {
    guard let content else { return .null }
    do {
      let members = try JSON(parsing: content.fields.utf8).object ?? []
      return .object(members.map { JSON.Member($0.key, plain($0.value)) })
    } catch {
      return ["error": .string("the version is not readable: \(error)")]
    }
  }

  private static func plain(_ field: JSON) -> JSON {
    let value = field["value"] ?? .null
    guard field["type"]?.string == FieldType.timestamp.rawValue, let milliseconds = value.integer else { return value }
    return time(WallTime(milliseconds: milliseconds))
  }

  private static func time(_ time: WallTime?) -> JSON { text(time?.iso8601) }
  private static func text(_ text: String?) -> JSON { text.map(JSON.string) ?? .null }
  private static func number(_ number: Int64?) -> JSON { number.map(JSON.integer) ?? .null }
}
