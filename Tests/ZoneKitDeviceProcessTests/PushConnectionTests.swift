import Testing
import ZoneKitRecords

@testable import ZoneKitDeviceProcess

@Suite struct `the connection of a device to the push service` {
  private var connection = PushConnection()

  private static func time(_ milliseconds: Int64) -> MonotonicTime { MonotonicTime(milliseconds: milliseconds) }

  init() { _ = connection.wants("t1") }

  @Test func `is made for the token once`() {
    var connection = PushConnection()
    #expect(connection.wants("t1") == [.connect(token: "t1")])
    #expect(connection.wants("t1") == [])
    #expect(connection.token == "t1")
  }

  @Test mutating func `is replaced by one for a newer token`() {
    #expect(connection.wants("t2") == [.close(reason: "it is connecting"), .connect(token: "t2")])
    #expect(connection.token == "t2")
  }

  @Test mutating func `is made again after a pause when it ends`() {
    connection.ended(at: Self.time(1_000))
    #expect(connection.wants("t1") == [])
    #expect(connection.nextDeadline == Self.time(1_100))
    #expect(connection.tick(at: Self.time(1_099), with: "t1") == [])
    #expect(connection.tick(at: Self.time(1_100), with: "t1") == [.connect(token: "t1")])
    connection.ended(at: Self.time(1_100))
    #expect(connection.nextDeadline == Self.time(1_300))
  }

  @Test(arguments: [nil, "t2"])
  mutating func `is not made again for a token that the device has no more`(current: String?) {
    connection.ended(at: Self.time(0))
    #expect(connection.tick(at: Self.time(100), with: current) == [])
    #expect(connection.nextDeadline == nil)
    #expect(connection.wants("t2") == [.connect(token: "t2")])
  }

  @Test mutating func `is not made with a refused token, unless the store failed to forget it`() {
    connection.refused()
    #expect(connection.wants("t1") == [])
    #expect(connection.nextDeadline == nil)
    connection.keptRefused(at: Self.time(0))
    #expect(connection.tick(at: Self.time(100), with: "t1") == [.connect(token: "t1")])
    connection.refused()
    #expect(connection.wants("t2") == [.connect(token: "t2")])
  }

  @Test mutating func `tries a refused token again after a launch, because the app may not have learned of it`() {
    connection.refused()
    connection.launched()
    #expect(connection.wants("t1") == [.connect(token: "t1")])
  }

  @Test mutating func `ends with the link, and the pause too`() {
    #expect(connection.cut(because: "no link") == [.close(reason: "no link")])
    #expect(connection.wants("t1") == [.connect(token: "t1")])
    connection.ended(at: Self.time(0))
    #expect(connection.cut(because: "no link") == [])
    #expect(connection.nextDeadline == nil)
  }

  @Test mutating func `tells the first welcome only`() {
    var welcomes = [connection.welcomed(at: Self.time(0)), connection.welcomed(at: Self.time(1))]
    connection.ended(at: Self.time(2))
    _ = connection.tick(at: Self.time(200), with: "t1")
    welcomes.append(connection.welcomed(at: Self.time(300)))
    #expect(welcomes == [true, false, true])
  }
}
