import ZoneKitRecords

/// The rows about devices and servers of tables and documents, in the words of their protocols.
extension DumpText {
  /// The channel of a device with tables, and what its events led to.
  func channel(_ channel: JSON?) -> [Row] {
    let isJoined = channel?["connected"]?.bool == true
    let since = channel?["since"]?.isNull == false ? " since \(time(channel?["since"]))" : ""
    let reason = channel?["reason"]?.string.map { ", \($0)" } ?? ""
    return [
      ("channel", "\(string(channel?["channel"])), " + (isJoined ? "joined" : "not joined") + since + reason),
      (
        "events",
        "last sent \(time(channel?["lastSentAt"])), received \(time(channel?["lastReceivedAt"])), "
          + "handled \(time(channel?["lastHandledAt"])), led to change \(time(channel?["lastLedToChangeAt"]))"
      ),
    ] + counters(of: channel)
  }

  /// What the events of a running device led to; none for a stopped one, whose process has counted them.
  private func counters(of channel: JSON?) -> [Row] {
    guard let received = channel?["received"], !received.isNull else { return [] }
    return [
      (
        "",
        "received \(string(received)), duplicates \(string(channel?["duplicates"])), "
          + "own echoes \(string(channel?["ownEchoes"])), joins \(string(channel?["joins"])), "
          + "last \(string(channel?["lastEvent"]))"
      )
    ]
  }

  /// The session of a device with tables.
  func session(_ session: JSON?) -> [Row] {
    let email = string(session?["email"])
    let reason = session?["reason"]?.string.map { ", \($0)" } ?? ""
    return [("session", session?["goesOn"]?.bool == true ? "\(email), signed in" : "\(email), ended\(reason)")]
  }

  /// The position of a device in each table, and the rows that wait.
  func tables(_ tables: JSON?) -> [Row] {
    let used = (tables?.object ?? []).filter { $0.value["cursor"]?.isNull == false || $0.value["pending"] != 0 }
    return used.enumerated().map { index, table in
      (
        index == 0 ? "tables" : "",
        "\(table.key): fetched up to \(time(table.value["cursor"])), \(string(table.value["pending"])) to send"
      )
    }
  }

  /// The cursor of a device in each feed of documents, and the newest version that it fetched.
  func documents(_ documents: JSON?) -> [Row] {
    guard let documents, !documents.isNull else { return [] }
    let last =
      documents["lastDocument"]?.string.map { ", last \($0) version \(string(documents["lastVersion"]))" } ?? ""
    let feeds = (documents["feeds"]?.array ?? []).map { feed -> Row in
      let behind = feed["behind"]?.bool == true ? ", behind" : ""
      return ("", "\(string(feed["feed"])): cursor \(string(feed["cursor"])) of \(time(feed["cursorAt"]))\(behind)")
    }
    return [("documents", "\(string(documents["count"]))\(last)")] + feeds
  }

  /// The numbers of rows of a user's own tables; none for a server without such tables.
  func ownTables(of cloud: JSON) -> [String] {
    guard let tables = cloud["tables"]?.object else { return [] }
    return [TextTable([["  TABLE", "ROWS"]] + tables.map { ["  \($0.key)", string($0.value)] }).text()]
  }

  /// The accounts, sockets, channels and verdicts of a server of tables; none for a server without tables.
  func channels(of cloud: JSON) -> [String] {
    guard let channels = cloud["channels"]?.array else { return [] }
    let verdicts = (cloud["verdicts"]?.object ?? []).filter { $0.value != 0 }.map { "\($0.key) \(string($0.value))" }
    let head =
      "  accounts \(string(cloud["accounts"])), sockets \(string(cloud["sockets"])), channels \(channels.count)"
      + (verdicts.isEmpty ? "" : ", verdicts: \(verdicts.joined(separator: ", "))")
    return [head]
      + channels.map { channel in
        let device = channel["name"]?.string ?? "a client"
        return "  channel \(string(channel["topic"])) of \(device): account \(string(channel["account"])), "
          + "events sent \(string(channel["sent"])), dropped \(string(channel["dropped"]))" + held(channel)
      }
  }
}
