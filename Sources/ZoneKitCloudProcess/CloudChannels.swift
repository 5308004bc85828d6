import ZoneKitCloud
import ZoneKitRecords
import ZoneKitTableServer
import ZoneKitTables

/// The realtime sockets of a cloud's tables, and what faults do to them, to their messages and to events.
struct CloudChannels {
  /// The device at the other end of a socket.
  struct Device: Hashable {
    /// The names by which faults and people know it: the one that it says first. Empty if it says none.
    var names: [String]

    /// The name for people; nil if there is none.
    var name: String? { names.last }
  }

  /// The channels of the sockets.
  var server: ChannelServer
  /// How fast sockets may be opened.
  var admission = SocketAdmission()
  /// The faults of events.
  var faults = EventFaults()
  /// The committed changes that the channels were not told yet.
  var untold = ChangeBacklog()
  /// The events that faults delay, in the order of their times.
  private(set) var late: [(due: MonotonicTime, event: EventFaults.Event)] = []
  /// The devices of the open sockets.
  var devices: [SocketID: Device] = [:]

  /// The channels of those tables, without sockets.
  init(_ schema: TableSchema) { server = ChannelServer(schema) }

  /// Lets the channels do something.
  mutating func act(_ act: (inout ChannelServer) -> [ChannelEffect]) -> [ChannelEffect] { act(&server) }

  /// Keeps an event until that time.
  mutating func delay(_ event: EventFaults.Event, until due: MonotonicTime) {
    let place = late.firstIndex { $0.due > due } ?? late.count
    late.insert((due, event), at: place)
  }

  /// Removes and returns the events whose time has come.
  mutating func takeLate(at now: MonotonicTime) -> [EventFaults.Event] {
    let count = late.prefix { $0.due <= now }.count
    defer { late.removeFirst(count) }
    return late.prefix(count).map(\.event)
  }

  /// When something is due; nil if nothing is.
  var nextDeadline: MonotonicTime? { [server.nextDeadline, late.first?.due].compactMap(\.self).min() }
}
