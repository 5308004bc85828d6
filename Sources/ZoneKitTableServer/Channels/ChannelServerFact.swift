import ZoneKitRecords
import ZoneKitTables

/// Something that happened to the channels of a server.
package enum ChannelServerFact: Equatable, Sendable {
  /// A client opened a socket; the device that it names, if it names one.
  case opened(SocketID, device: String?)
  /// A socket is closed.
  case closed(SocketID, device: String?)
  /// A channel was joined, with that many entries. The account is its e-mail address, or its identifier; nil for a client
  /// without an account.
  case joined(topic: String, entries: Int, account: String?, device: String?)
  /// A join was refused for that reason.
  case refused(topic: String, reason: String, device: String?)
  /// A channel was left.
  case left(topic: String, device: String?)
  /// The event of a change was sent to that many channels, to the devices that their sockets name.
  case sent(table: Name, record: Name, RowChange.Kind, channels: Int, devices: [String], author: String?)
  /// A fault hit an event on its way to a channel.
  case disturbed(table: Name, record: Name, topic: String, device: String?, PushFault)
}

extension Fact {
  /// The fact in the common form of all machines.
  package init(_ fact: ChannelServerFact) {
    func member(_ key: String, _ text: String?) -> JSON.Member { JSON.Member(key, text.map(JSON.string) ?? .null) }
    func name(_ device: String?) -> String { device ?? "a client" }
    switch fact {
    case .opened(let id, let device):
      self.init(
        .socketOpened, [JSON.Member("socket", .integer(Int64(id.number))), member("device", device)],
        "\(name(device)) opened a socket")
    case .closed(let id, let device):
      self.init(
        .socketClosed, [JSON.Member("socket", .integer(Int64(id.number))), member("device", device)],
        "the socket of \(name(device)) is closed")
    case .joined(let topic, let entries, let account, let device):
      self.init(
        .channelJoined,
        [
          member("channel", topic), JSON.Member("entries", .integer(Int64(entries))), member("account", account),
          member("device", device),
        ], "\(name(device)) joined \(topic)\(account.map { " as \($0)" } ?? "")")
    case .refused(let topic, let reason, let device):
      self.init(
        .channelRefused, [member("channel", topic), member("reason", reason), member("device", device)],
        "\(name(device)) may not join \(topic): \(reason)")
    case .left(let topic, let device):
      self.init(
        .channelLeft, [member("channel", topic), member("device", device)], "\(name(device)) left \(topic)")
    case .sent(let table, let record, let kind, let channels, let devices, let author):
      self.init(
        .changeSent,
        [
          member("table", table.text), member("record", record.text), member("change", "\(kind)"),
          JSON.Member("channels", .integer(Int64(channels))), JSON.Member("devices", .array(devices.map(JSON.string))),
          member("author", author),
        ], "\(kind) of \(record) sent to \(channels.counted("channel"))")
    case .disturbed(let table, let record, let topic, let device, let fault):
      self.init(
        .pushDisturbed,
        [
          member("device", device), member("table", table.text), member("record", record.text),
          member("channel", topic), member("fault", fault.summary),
        ], "event of \(record) for \(name(device)): a fault, \(fault.summary)")
    }
  }
}
