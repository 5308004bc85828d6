import ZoneKitRecords
import ZoneKitTableServer
import ZoneKitTables

/// Notes what happens to the channels of a server in its journal.
struct ChannelJournal {
  private let journal: ServerJournal
  private let schema: TableSchema
  /// The e-mail address of an account, otherwise its identifier.
  private let name: (UUID) -> String

  /// Notes facts about channels over those tables.
  init(_ journal: ServerJournal, _ schema: TableSchema, name: @escaping (UUID) -> String) {
    self.journal = journal
    self.schema = schema
    self.name = name
  }

  /// Notes that a socket was opened or is closed, of that device.
  func socket(_ id: SocketID, isOpen: Bool, _ device: String?) {
    journal.record(isOpen ? ChannelServerFact.opened(id, device: device) : .closed(id, device: device))
  }

  /// Notes an answer that begins, refuses or ends a channel.
  func answered(_ answer: ChannelAnswer, topic: String, of account: UUID?, to device: String?) {
    switch answer {
    case .joined(let entries):
      journal.record(
        ChannelServerFact.joined(topic: topic, entries: entries.count, account: account.map(name), device: device))
    case .refused(let reason):
      journal.record(ChannelServerFact.refused(topic: topic, reason: reason, device: device))
    case .closed: journal.record(ChannelServerFact.left(topic: topic, device: device))
    default: break
    }
  }

  /// Notes that the event of a change was sent to that many channels, of those devices.
  func sent(_ change: RowChange, channels: Int, to devices: [String]) {
    journal.record(
      ChannelServerFact.sent(
        table: change.table, record: change.key.recordName(in: change.table), change.kind, channels: channels,
        devices: devices, author: author(of: change)))
  }

  /// Notes a fault of an event on its way to a channel.
  func disturbed(_ change: RowChange, topic: String, to device: String?, _ fault: PushFault) {
    journal.record(
      ChannelServerFact.disturbed(
        table: change.table, record: change.key.recordName(in: change.table), topic: topic, device: device, fault))
  }

  /// The device that wrote the row of a change; nil if the row names none.
  func author(of change: RowChange) -> String? { schema.table(change.table).flatMap { change.author(in: $0) } }
}
