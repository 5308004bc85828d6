import Testing
import ZoneKitRecords
import ZoneKitTableServer

@Suite struct `a turn of objects` {
  private let database = DatabaseID(
    container: "app", environment: .development, user: "ann", scope: .private)

  private func place(_ hash: String) -> ObjectTurn.Place { ObjectTurn.Place(hash: hash, database: database) }

  @Test func `removes the bytes that no object has any more`() {
    var turn = ObjectTurn()
    turn.released(["a", "b"], in: database)
    #expect(turn.end() == [place("a"), place("b")])
    #expect(turn.end() == [])
  }

  @Test func `an upload keeps its bytes in both orders`() {
    var turn = ObjectTurn()
    turn.released(["a"], in: database)
    turn.stored(place("a"))
    turn.stored(place("b"))
    turn.released(["b", "c"], in: database)
    #expect(turn.end() == [place("c")])
  }
}
