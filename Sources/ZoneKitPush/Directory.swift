import ZoneKitRecords

/// Who hears of which database, found without looking at anybody else: each audience has a room with its endpoints.
struct Directory {
  /// An endpoint's place in a room.
  struct Seat: Hashable {
    var room: Int
    var position: Int
  }

  private struct Room {
    var audience: Audience
    var members: [Int]
  }

  private var rooms: [Room] = []
  private var numbers: [Audience: Int] = [:]
  private var emptyRooms: [Int] = []

  /// The members of every room that hears of that database; empty rooms are left out.
  func rooms(for database: DatabaseID) -> [[Int]] {
    guard !numbers.isEmpty else { return [] }
    return Audience.all(of: database).compactMap { numbers[$0].map { rooms[$0].members } }
  }

  func audience(of seat: Seat) -> Audience { rooms[seat.room].audience }

  mutating func enter(_ endpoint: Int, _ audience: Audience) -> Seat {
    let room = numbers[audience] ?? open(audience)
    rooms[room].members.append(endpoint)
    return Seat(room: room, position: rooms[room].members.count - 1)
  }

  /// Frees a seat. The room's last member moves into it, and is returned where that is another one: its position is now
  /// the freed one.
  mutating func leave(_ seat: Seat) -> Int? {
    let last = rooms[seat.room].members.removeLast()
    if rooms[seat.room].members.isEmpty {
      numbers[rooms[seat.room].audience] = nil
      emptyRooms.append(seat.room)
      return nil
    }
    guard seat.position < rooms[seat.room].members.count else { return nil }
    rooms[seat.room].members[seat.position] = last
    return last
  }

  private mutating func open(_ audience: Audience) -> Int {
    let room = Room(audience: audience, members: [])
    let number = emptyRooms.popLast() ?? rooms.count
    if number == rooms.count { rooms.append(room) } else { rooms[number] = room }
    numbers[audience] = number
    return number
  }
}
