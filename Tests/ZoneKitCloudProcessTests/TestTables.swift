import ZoneKitCloud
import ZoneKitCloudProcess
import ZoneKitMemoryStores
import ZoneKitRecords
import ZoneKitTableServer
import ZoneKitTables

/// A cloud's process with tables under test, without a driver.
struct TestTables {
  static let table = Table.owned("things", quiet: 300, [Column("name", .text, isRequired: true)])
  static let profiles = Table(
    "profiles", key: [.id], ownership: .account(column: .id),
    columns: [Column(.id, .uuid, isRequired: true), Column("display_name", .text, default: .text("Me"))]
      + Table.stampColumns)
  static let app: TableApp = {
    var app = TableApp(
      name: "test", container: "com.example.test", environment: .development, zone: "Things",
      schema: TableSchema([profiles, table]), profile: TableApp.Profile(table: "profiles", name: "display_name"))
    app.bucket = ObjectBucket("photos", mediaTypes: ["image/png"], sizeLimit: 100)
    return app
  }()

  var base = TestProcess()
  /// What the last turn left to the driver.
  private(set) var effects: [CloudProcessEffect] = []
  private var tokens = 0

  init(_ app: TableApp = Self.app) {
    base.process.tables = CloudTables(of: app, store: MemoryAccountStore(), limits: AccountLimits())
  }

  mutating func receive(_ message: CloudMessage, from role: RowCaller.Role = .service) -> CloudReception {
    base.process.receive(
      message, from: CloudSender(RowCaller(role, deviceID: "A")), at: base.now, using: &base.generator)
  }

  /// Ends the turn. What it left to the driver is in `effects`.
  mutating func endTurn() {
    effects =
      base.endTurn() + base.process.tellChanges(at: base.now, naming: { $0 }, using: &base.generator)
  }

  /// Lets the process serve a message in a turn of its own.
  mutating func ask(_ message: CloudMessage, from role: RowCaller.Role = .service) -> CloudAnswer? {
    let reception = receive(message, from: role)
    endTurn()
    return reception.reply?.answer ?? effects.replies.first { $0.ticket == reception.ticket }?.answer
  }

  /// A message arrives with the token of an account, which ends at `end` in seconds.
  mutating func receive(_ message: CloudMessage, bearing account: UUID, until end: Int64 = .max) -> CloudReception {
    let claims = AccountClaims(role: .authenticated, account: account, issuedAt: 0, expiresAt: end)
    return base.process.receive(
      message, from: CloudSender(TableSender(token: .success(claims), deviceID: "A")), at: base.now,
      using: &base.generator)
  }

  /// The bytes of each upload that waits are stored, except for that error. Ends the turn.
  mutating func store(_ reception: CloudReception, _ error: ObjectError? = nil) -> [ObjectTurn.Place] {
    let places = reception.preparations.compactMap { preparation -> (Ticket, ObjectTurn.Place)? in
      if case .store(let ticket, let place) = preparation { (ticket, place) } else { nil }
    }
    var done: [CloudProcessEffect] = []
    for (ticket, _) in places {
      done += base.process.stored(ticket, error, at: base.now, using: &base.generator)
    }
    endTurn()
    effects = done + effects
    return places.map(\.1)
  }

  /// Makes an account. Returns its identifier.
  mutating func signUp(_ email: String, metadata: [JSON.Member] = []) throws -> UUID {
    tokens += 1
    let token = FreshToken("t\(tokens)", hash: TokenHash("t\(tokens)"))
    let event = AccountEvent.signUp(
      email: email, PasswordRecord(hash: "", salt: ""), metadata: metadata, from: "home", token)
    guard case .account(.session(let grant))? = ask(.account(event)) else {
      throw CloudError(.internalError, "the account was not made")
    }
    return grant.account.id
  }

  /// Writes a thing of that name.
  mutating func write(_ name: String, _ number: UInt64 = 1, of account: UUID) -> CloudAnswer? {
    let content = RowContent([.id: .uuid(UUID(high: 9, low: number)), "name": .text(name)])
    return ask(.rows(.write("things", RowWrite([content], resolution: .merge)), RowDemands()), from: .account(account))
  }

  /// The number of rows that an account sees in a table.
  mutating func count(_ table: Name, of account: UUID) -> Int? {
    guard
      case .rows(.done(let result))? = ask(
        .rows(.read(table, RowQuery(), isHead: false), RowDemands()), from: .account(account))
    else { return nil }
    return result.rows.count
  }

  /// The changes that the last turn reports to channels.
  var changed: [RowChange] {
    effects.flatMap { effect -> [RowChange] in if case .changed(let changes) = effect { changes.changes } else { [] } }
  }

  // MARK: Sockets

  /// Opens a socket of a device.
  mutating func open(_ device: String = "A") throws -> SocketID {
    guard let (id, _) = base.process.openSocket(.anonymous, device: [device], at: base.now) else {
      throw CloudError(.internalError, "the socket was not opened")
    }
    return id
  }

  /// Adds a fault of those kinds of messages.
  mutating func plant(_ action: TableFaultAction, on kinds: TableRequestKind..., times: Int? = nil) {
    base.process.faults.add(Fault(.table(action), on: FaultScope(tables: kinds), times: times))
  }

  /// A message of a client arrives on a socket. Its token is the identifier of an account, and ends at `end` in seconds.
  /// Returns the instructions of the channels.
  mutating func send(
    _ wish: ChannelRequest.Wish, as account: UUID? = nil, on socket: SocketID, until end: Int64 = .max
  ) -> [ChannelEffect] {
    let request = ChannelRequest(topic: "realtime:x", joinRef: "1", ref: "1", token: account?.text, wish)
    let reception = base.process.received(
      request, on: socket, at: base.now, naming: { $0 },
      verify: {
        .success(AccountClaims(role: .authenticated, account: UUID($0), issuedAt: 0, expiresAt: end))
      }, using: &base.generator)
    return reception.effects.channels
  }

  /// Joins a channel for things. Returns the answers.
  mutating func join(as account: UUID, on socket: SocketID, until end: Int64 = .max) -> [ChannelAnswer] {
    send(.join(ChannelJoin([ChannelEntry(table: "things")])), as: account, on: socket, until: end).answers
  }
}

extension [CloudProcessEffect] {
  /// The instructions of the channels.
  var channels: [ChannelEffect] { compactMap { if case .channel(let effect) = $0 { effect } else { nil } } }

  /// The number of events that are sent to a socket.
  func events(to socket: SocketID) -> Int {
    channels.flatMap { effect -> [ChannelDelivery] in
      if case .change(_, let deliveries) = effect { deliveries } else { [] }
    }.count { $0.socket == socket }
  }

  /// The number of events that faults lost.
  var lostEvents: Int { count { if case .dropped = $0 { true } else { false } } }
}

extension [ChannelEffect] {
  /// The answers to messages.
  var answers: [ChannelAnswer] { compactMap { if case .send(let answer, _, _, _, _) = $0 { answer } else { nil } } }
}
