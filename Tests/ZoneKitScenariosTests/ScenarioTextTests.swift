import ZoneKitScenarios
import ZoneKitRecords
import Testing

struct ScenarioTextTests {
  private static let head = "scenario \"s\"\ndevices A, B, C signed in as nanny\n"

  /// Each sentence of the language in the form in which a scenario is written.
  private static let lines = """
    wait 1h30m
    note "a \\"quoted\\" word"
    count from here
    stop here unless all device IDs differ
    A logs feeding bottle volume 120
    A, B start sleep
    every device stops sleep
    A imports "some file.json"
    A does profile name "Mia"
    A does spend 10.00 "Dinner" for me,"Ben":20
    A edits B's last action volume 90
    A edits A's 12th action placename "at home, upstairs"
    A deletes record "x y"
    A saves record x
    A saves record x of type Item in zone Items under p field title "a" field rank 3 field old none
    A syncs
    A, B sync
    A syncs inside its next merge
    A goes offline
    A, B go offline
    every device comes online
    cut the link from A to the cloud
    cut the link from the cloud to A
    slow the link of A to 2s
    lose 30% on the link of A, B
    repeat 30% on the push link of every device
    reorder the link of A
    clog the link of A
    heal the link from A to the cloud
    set the link of A
    set the link of A, B, up delay 5ms to 2s lose 30% repeat 20% reorder, down cut, push delay 20ms clog, told of 0%
    set the link of every device, down lose 5%
    recover everything
    recover everything and restart every device
    heal everything
    drop the next push to B
    drop every push to B
    duplicate the next 3 pushes to B
    reorder the next 2 pushes to B
    prune the next push to B
    delay the next push to B by 20m
    deliver the next push to B without an ID
    deliver every push to B for another subscription
    replay the last push to B
    pushes to B flow again
    push B for subscription "no such"
    push B for account mum
    the push token of B dies
    the gateway restarts
    the cloud answers the next 3 saves of A with serviceUnavailable retry after 30s
    the cloud answers every zone fetch with zoneNotFound
    the cloud loses the answer to the next subscription save of A
    the cloud loses the next 2 writes of A
    the cloud delays the answer to the next database fetch of A by 5s
    the cloud does the next save of A twice
    the cloud answers the next fetch with zoneBusy after 2 others in 50% of cases
    the cloud loses every named subscription lookup in 5% of cases
    the cloud does the next 2 token registrations twice after 1 other
    the cloud answers the next 3 token creations with permissionFailure
    the cloud refuses each item of the next 2 zone fetches of A in zone Items with zoneBusy retry after 3s
    the cloud refuses each item of every save with quotaExceeded
    the cloud refuses each item named x-1 of the next 2 saves with invalidArguments
    the cloud shows commits 3s late to the next 2 requests
    the cloud repeats the token of the next request after 2 others
    the cloud lists zone "My Ghost" as changed the next 2 times in 50% of cases
    the cloud's disk is full
    the cloud's disk has room
    the cloud refuses A's last action with invalidArguments
    the cloud accepts record x again
    the cloud refuses more than 10 records at once
    the cloud is full
    the cloud has room again
    the cloud shows commits 3s late
    the cloud repeats the token of the next 3 fetches of A
    the cloud leaves out A's 2nd action in the next fetch of B
    the cloud lists each record twice in every fetch
    the cloud forgets the next 2 subscription saves of A
    the cloud mutes the next subscription save after 1 other
    the cloud lists zone Ghost as changed
    expire the tokens
    expire the database token of A
    expire the zone token of A
    expire all tokens of the zone of A
    expire all tokens of zone "Items" of account nanny
    expire all database tokens of account "the nanny"
    the cloud loses the subscription of account nanny
    the cloud loses the subscription of A
    the cloud mutes the subscription of A
    the cloud doubles the subscription of A
    the cloud behaves again
    delete the zone of A
    delete zone "Items" of A
    create zone "Items" of account nanny
    purge the zone of A
    reset the keys of the zone of A
    lose the zone of A
    forget the deletions in zone "of" of A
    forget the deletions in the zone of account nanny made before 2027-01-15T08:00:00.250Z
    B goes to the background
    A, B come to the foreground
    A, B come to the foreground and sync
    every device comes to the foreground and syncs
    force-quit B
    B enters low power
    A, B leave low power
    B turns background refresh off
    kill A
    kill the cloud
    kill A before its 2nd send
    kill the cloud after its 3rd commit
    kill the cloud before its 2nd turn and start it again
    kill A after its 2nd send and start it again
    kill the cloud for 5s
    cut the power of A
    cut the power of A keeping 50% of its unsynced commits
    start A
    restart the cloud
    erase A
    back up A
    restore A from its backup
    restore a copy of A as D
    restore a copy of A to B
    A signs out
    A signs in as mum
    A, B switch to mum
    the account of A is unavailable
    A's clock is 1h ahead
    A's clock is 1h behind
    A's clock is right
    A's clock gains 2s a day
    A's clock loses 250ms a day
    A's clock is set to 2027-01-15T08:00:00.000Z
    A's clock stands at 2027-01-15T08:00:00.250Z
    A's disk fails the next write
    A's disk fails the next 2 writes
    A's disk fails the next write after keeping it
    A's disk fails the next 2 writes after keeping them
    A's disk buffers its writes
    A's disk writes through
    A's disk syncs
    A's disk is full
    A's disk has room
    A's disk takes 2s to write
    reset the local store of A
    reset the local store of A keeping pending
    reset the tokens of A
    reset the zone of A
    reset zone "Items" of account nanny
    reset the cloud
    expect everyone agrees within 5s
    expect convergence within 1h15m
    expect convergence by pushes alone within 20s
    expect no edit is lost
    expect every view is current
    expect copies of one device are told apart
    expect nothing is left over
    expect nobody asks for 10m
    expect A, B show the same
    expect B has A's last action within 1m
    expect the cloud lacks record x
    expect the cloud shows bottleVolume 90 in A's last action
    expect B push received 0, fetches at most 1, pending at least 2
    expect B reports zoneRemoved
    expect B reports conflict at most 2 times
    expect B never reports storm
    expect B decided by rule updatedAt
    expect B decided by rule delete on A's last action
    expect B's journal holds A's last action
    expect B's quarantine holds record x
    expect B's subscription is active
    expect the cloud holds 1 subscriptions of A
    expect a drought on B
    expect no drought on B
    expect no storm on B
    expect nobody writes for 5m
    expect A asks nothing for 30s
    expect A never uses a token of mum
    expect A's device ID changed
    expect A and B have different device IDs
    expect A holds nothing of mum
    expect A is running
    expect the cloud is dead
    expect A is backingOff
    expect B's last fetch was for foreground
    expect B's diagnostics show a fetch in the last 5s
    expect no two requests of A closer than 30s
    """.split(separator: "\n").map(String.init)

  @Test(arguments: lines) func `a sentence is written as it was read`(line: String) throws {
    let scenario = try Scenario(parsing: Self.head + line)
    #expect(scenario.steps.first?.step.text == line)
  }

  @Test(arguments: 1...200 as ClosedRange<UInt64>) func `a scenario's text reads as the scenario`(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    var text = "app Items\nrules one-rule, two-rules\n" + Self.head + "about \"x\"\nholds \"y\"\nsource \"z \\\\ z\"\n"
    text +=
      "option page limit 3\noption lookup rounds 2\noption fallback 12h\noption seed 18446744073709551615\noption visible delay 500ms\noption push burst 2s\noption atomic on\ndevice E signed out not started\n"
    text = "scenario \"t\\n\"\n" + text.replacing("scenario \"s\"\n", with: "")
    var depth = 0
    var hasCopy = false
    for _ in 0..<Int.random(in: 0...30, using: &generator) {
      switch Int.random(in: 0..<8, using: &generator) {
      case 0 where depth < Scenario.depthLimit:
        depth += 1
        text += "repeat \(depth) times\(depth % 2 == 0 ? " every 10ms" : "")\n"
      case 1 where depth > 0:
        depth -= 1
        text += "end\n"
      default:
        let line = Self.lines[Int.random(in: 0..<Self.lines.count, using: &generator)]
        if line.hasSuffix(" as D") {
          if hasCopy { continue }
          hasCopy = true
        }
        text += "  " + line + " # why\n\n"
      }
    }
    text += String(repeating: "end\n", count: depth)
    let scenario = try Scenario(parsing: text)
    #expect(try Scenario(parsing: scenario.text) == scenario.numbered())
  }

  @Test(arguments: [0, 1, 999, 1000, 61_001, 86_400_000, 90_061_001] as [Int64])
  func `a length of time is written as it reads`(milliseconds: Int64) {
    let span = TimeSpan(milliseconds: milliseconds)
    #expect(TimeSpan(span.text) == span)
  }

  @Test(arguments: ["", "2", "s", "-1s", "1.5s", "2 s", "9999999999d", "3651d", "1x", "１s"])
  func `what is no length of time is refused`(text: String) {
    #expect(TimeSpan(text) == nil)
  }
}
