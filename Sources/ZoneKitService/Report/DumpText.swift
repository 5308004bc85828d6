import ZoneKitRecords

/// The diagnostics dump as aligned text for a terminal.
package struct DumpText {
  /// The most traces that are shown.
  static let traceLimit = 10
  /// The most conflicts that are shown for a device.
  static let conflictLimit = 3

  private let document: JSON
  private let now: WallTime

  /// The text for a document of `DiagnosticsDump`. Ages are relative to its `generatedAt`.
  package init(_ document: JSON) {
    self.document = document
    now = document["generatedAt"]?.string.flatMap { WallTime(iso8601: $0) } ?? WallTime(milliseconds: 0)
  }

  /// The text for the report of one device alone. Ages are relative to that time.
  package init(ofDevice report: JSON, at now: WallTime) {
    document = ["devices": [report]]
    self.now = now
  }

  /// The text, without a final line feed.
  package var text: String {
    guard document["generatedAt"] != nil else { return (document["devices"]?.array ?? []).map(device).joined() }
    var blocks = ["diagnostics at \(now.iso8601), zonekit \(document["zonekit"]?.string ?? "unknown")"]
    let devices = document["devices"]?.array ?? []
    blocks += devices.isEmpty ? ["no devices"] : devices.map(device)
    blocks.append(cloud(document["cloud"] ?? .null))
    blocks.append(traces(document["traces"]?.array ?? []))
    return blocks.joined(separator: "\n\n")
  }

  // MARK: A device

  private func device(_ device: JSON) -> String {
    let name = string(device["name"])
    if let error = device["error"] { return "device \(name)\n  cannot be read: \(string(error))" }
    let state = device["state"]?.string == "notRunning" ? "not running" : string(device["state"])
    let user = device["email"]?.isNull == false ? device["email"] : device["user"]
    let head = "device \(name), user \(string(user)), \(state)"
    let hasTables = device["protocol"] == "tables"
    var rows = hasTables ? channel(device["realtime"]) + session(device["session"]) : push(device["push"])
    rows += fetch(device["fetch"]) + send(device["send"])
    if !hasTables { rows += subscription(device["subscription"]) }
    rows += conflicts(device["conflicts"]) + documents(device["documents"]) + tables(device["tables"])
    let counts = (device["counts"]?.object ?? []).map { "\($0.key) \(string($0.value))" }
    rows.append(("records", counts.isEmpty ? "none" : counts.joined(separator: ", ")))
    if let offset = device["clock"]?["offset"]?.integer { rows.append(("clock", Self.clock(offset))) }
    if let reason = device["unanswered"] { rows.append(("from file", "it runs but \(string(reason))")) }
    return head + "\n" + TextTable(rows.map { ["  \($0.label)", $0.text] }).text()
  }

  private static func clock(_ offset: Int64) -> String {
    let span = "\(offset.magnitude) ms"
    return offset == 0 ? "as the cloud's" : offset > 0 ? "\(span) behind the cloud's" : "\(span) ahead of the cloud's"
  }

  typealias Row = (label: String, text: String)

  private func push(_ push: JSON?) -> [Row] {
    [
      ("push", "last received \(time(push?["lastReceivedAt"])), id \(string(push?["lastNotificationID"]))"),
      (
        "",
        "sent \(time(push?["lastSentAt"])), handled \(time(push?["lastHandledAt"])), "
          + "led to change \(time(push?["lastLedToChangeAt"]))"
      ),
      (
        "",
        "received \(string(push?["received"])), duplicates \(string(push?["duplicates"])), "
          + "unknown subscription \(string(push?["unknownSubscription"])), without id \(string(push?["withoutID"]))"
          + (push?["drought"]?.bool == true ? ", drought: changes come without pushes" : "")
      ),
    ] + socket(push?["socket"])
  }

  /// The row of the connection to the push service; none for a device that needs none.
  private func socket(_ socket: JSON?) -> [Row] {
    guard let socket, let isConnected = socket["connected"]?.bool else { return [] }
    let since = socket["since"]?.isNull == false ? " since \(time(socket["since"]))" : ""
    let reason = socket["reason"]?.string.map { ", \($0)" } ?? ""
    return [("push socket", (isConnected ? "connected" : "not connected") + since + reason)]
  }

  private func fetch(_ fetch: JSON?) -> [Row] {
    let age = fetch?["tokenAge"]?.integer.map { ", token \(Self.duration($0)) old" } ?? ", no token"
    return [
      (
        "fetch",
        "last finished \(time(fetch?["lastFinishedAt"])), \(string(fetch?["lastResult"])), "
          + "because of \(string(fetch?["lastReason"]))"
      ),
      ("", "records \(string(fetch?["records"])), pages \(string(fetch?["pages"]))\(age)"),
    ]
  }

  private func send(_ send: JSON?) -> [Row] {
    var text = "last \(time(send?["lastAt"])), pending \(string(send?["pending"]))"
    if let oldest = send?["oldestPendingAt"], !oldest.isNull { text += ", oldest \(time(oldest))" }
    if let retry = send?["retryAfter"], !retry.isNull { text += ", cloud asked to wait until \(time(retry))" }
    let quarantined = (send?["quarantined"]?.array ?? []).map { entry -> Row in
      ("", "kept back \(string(entry["record"])): \(string(entry["reason"]))")
    }
    return [("send", text)] + quarantined
  }

  private func subscription(_ subscription: JSON?) -> [Row] {
    var text = "\(string(subscription?["state"])), \(string(subscription?["id"]))"
    if let origin = subscription?["origin"]?.string { text += ", \(origin)" }
    text += ", verified \(time(subscription?["verifiedAt"]))"
    if let error = subscription?["error"]?.string { text += ", \(error)" }
    return [("subscription", text)]
  }

  private func conflicts(_ conflicts: JSON?) -> [Row] {
    let storm = conflicts?["storm"]?.string.map { ", storm around \($0)" } ?? ""
    let last = (conflicts?["last"]?.array ?? []).prefix(Self.conflictLimit).map { entry -> Row in
      (
        "", "\(string(entry["record"])) \(time(entry["at"])): \(string(entry["winner"])) by \(string(entry["rule"]))"
      )
    }
    return [("conflicts", "total \(string(conflicts?["total"]))\(storm)")] + last
  }

  // MARK: The cloud

  private func cloud(_ cloud: JSON) -> String {
    var parts = [cloud["running"] == false ? "cloud, the server is not running" : "cloud"]
    if let error = cloud["error"]?.string { parts.append("  cannot be read whole: \(error)") }
    parts += (cloud["errors"]?.array ?? []).map { "  error: \(string($0))" }
    let zones = (cloud["zones"]?.array ?? []).map(zone)
    let head = ["  ZONE", "USER", "RECORDS", "TOMBSTONES", "SEQUENCE", "LAST COMMIT"]
    parts += ownTables(of: cloud)
    if !zones.isEmpty || cloud["tables"] == nil {
      parts.append(zones.isEmpty ? "  no zones" : TextTable([head] + zones).text())
    }
    let registrations = cloud["registrations"]?.array ?? []
    let names = registrations.compactMap { registration in
      registration["name"]?.string.map { registration["replaced"]?.bool == true ? "\($0), replaced" : $0 }
    }
    let told = names.isEmpty ? "" : " (\(names.joined(separator: "; ")))"
    if let assets = cloud["assets"], assets["files"]?.integer ?? 0 > 0 {
      parts.append("  assets \(string(assets["files"])), bytes \(string(assets["bytes"]))")
    }
    let counts = [
      "subscriptions \(cloud["subscriptions"]?.array?.count ?? 0)", "registrations \(registrations.count)\(told)",
    ]
    let hasPushes = ["subscriptions", "registrations", "receivers"].contains { cloud[$0]?.array?.isEmpty == false }
    if cloud["channels"] == nil || hasPushes {
      parts.append("  " + counts.joined(separator: ", "))
      parts.append("  " + pushes(cloud["pushes"]))
    }
    parts += channels(of: cloud)
    parts += (cloud["receivers"]?.array ?? []).map(receiver)
    return parts.joined(separator: "\n")
  }

  private func zone(_ zone: JSON) -> [String] {
    let deleted = zone["deleted"]?.bool == true ? " (deleted)" : ""
    let user = zone["account"] ?? zone["user"]
    return ["  \(string(zone["name"]))\(deleted)", string(user)]
      + ["records", "tombstones", "sequence"].map { string(zone[$0]) } + [time(zone["lastCommitAt"])]
  }

  private func pushes(_ pushes: JSON?) -> String {
    guard let pushes, pushes["made"]?.integer != nil else { return "pushes: counted only while the server runs" }
    let counters = [
      ("made", "made"), ("kept from their origin", "excludedOrigin"), ("coalesced", "coalesced"),
      ("delivered", "delivered"), ("stored", "stored"),
    ]
    let told = counters.map { "\($0.0) \(string(pushes[$0.1]))" }
    let discarded = (pushes["discarded"]?.object ?? []).filter { $0.value != 0 }
      .map { "discarded \(string($0.value)) (\($0.key))" }
    return "pushes: " + (told + discarded).joined(separator: ", ")
  }

  /// A receiver of pushes, with what waits for it.
  private func receiver(_ receiver: JSON) -> String {
    let isConnected = receiver["connected"]?.bool == true
    let waiting = receiver["waiting"]?.array?.count ?? 0
    return "  pushes to \(string(receiver["name"])): " + (isConnected ? "connected" : "not connected")
      + (receiver["since"]?.isNull == false ? " since \(time(receiver["since"]))" : "")
      + (waiting == 0 ? "" : ", \(waiting.counted("push", plural: "pushes")) at the service") + held(receiver)
  }

  /// How much of a receiver or a channel a fault holds back, as the rest of its line.
  func held(_ receiver: JSON) -> String {
    let count = receiver["held"]?.array?.count ?? 0
    return count == 0 ? "" : ", \(count) held back by a fault"
  }

  // MARK: Traces

  private func traces(_ traces: [JSON]) -> String {
    guard !traces.isEmpty else { return "no traces" }
    let head = ["  CHANGE", "ON", "MERGED AT", "NOTIFIED", "RECEIVED", "FETCHED", "MERGED"]
    let rows = traces.prefix(Self.traceLimit).map { trace in
      let start = moment(trace["committedAt"])
      let stations = ["notifiedAt", "receivedAt", "fetchedAt", "mergedAt"].map { after(start, moment(trace[$0])) }
      return ["  \(string(trace["change"]))", string(trace["on"]), time(trace["mergedAt"])] + stations
    }
    let title = "last changes, with milliseconds since the commit (\(rows.count) of \(traces.count))"
    return title + "\n" + TextTable([head] + rows).text()
  }

  private func after(_ start: WallTime?, _ end: WallTime?) -> String {
    guard let start, let end else { return "-" }
    return "\(end.milliseconds - start.milliseconds)"
  }

  // MARK: Values

  /// A scalar as text; `-` if there is none.
  func string(_ value: JSON?) -> String {
    guard let value, !value.isNull else { return "-" }
    return value.string ?? value.text()
  }

  private func moment(_ value: JSON?) -> WallTime? { value?.string.flatMap { WallTime(iso8601: $0) } }

  /// A time as `12:00:01.123 (3 s ago)`, with the date if it is not that of the dump; `never` if there is none.
  func time(_ value: JSON?) -> String {
    guard let moment = moment(value) else { return "never" }
    let text = moment.iso8601.dropLast()
    let isToday = now.iso8601.prefix(11) == text.prefix(11)
    let clock = isToday ? String(text.dropFirst(11)) : "\(text.prefix(10)) \(text.dropFirst(11))"
    let age = now.milliseconds - moment.milliseconds
    return age < 0 ? "\(clock) (in \(Self.duration(-age)))" : "\(clock) (\(Self.duration(age)) ago)"
  }

  /// A duration in the largest unit that it fills: `250 ms`, `3 s`, `5 min`, `7 h`, `2 d`.
  static func duration(_ milliseconds: Int64) -> String {
    let units: [(name: String, length: Int64)] = [("d", 86_400_000), ("h", 3_600_000), ("min", 60_000), ("s", 1_000)]
    for unit in units where milliseconds >= unit.length { return "\(milliseconds / unit.length) \(unit.name)" }
    return "\(milliseconds) ms"
  }
}
