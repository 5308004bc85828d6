import ZoneKitEventLoop
import Foundation
import ZoneKitRecords
import ZoneKitStorage
import ZoneKitSync
import Testing

@testable import ZoneKitService

@Suite struct ControlSocketTests {
  /// What a device with that answer says to those lines, sent on one connection, and the pushes that it takes from them.
  private func talk(_ lines: String, until count: Int) throws -> (said: [String], pushes: [String?]) {
    let folder = try Folder.makeTemporary()
    let loop = try Loop()
    var pushes: [String?] = []
    let socket = try ControlSocket(
      folder: folder, loop: loop, onNotification: { pushes.append($0.notificationID) },
      onCommand: { $1($0 == "sync" ? nil : "no command \($0)") }, onAsk: { _ in Array("{\"device\":{}}\n".utf8) })
    var said: [UInt8] = []
    let client = Connection(to: socket.address, on: loop)
    client.onRead = { bytes in
      said += bytes
      if said.count(where: { $0 == 0x0A }) == count { loop.stop() }
    }
    client.onClose = { _ in loop.stop() }
    client.write(Array(lines.utf8))
    loop.run()
    loop.closeAll()
    try Folder.remove(folder)
    return (String(decoding: said, as: UTF8.self).split(separator: "\n").map(String.init), pushes)
  }

  @Test func `a payload is delivered and a question is answered on one connection`() throws {
    let (said, pushes) = try talk(
      #"{"aps":{"content-available":1},"ck":{"nid":"N"}}"# + "\n" + #"{"ask":"diagnostics"}"# + "\n", until: 2)
    #expect(said == [#"{"delivered":true}"#, #"{"device":{}}"#])
    #expect(pushes == ["N"])
  }

  @Test func `a command is carried out, and its error is the answer`() throws {
    let (said, _) = try talk(#"{"command":"sync"}"# + "\n" + #"{"command":"dance"}"# + "\n", until: 2)
    #expect(said == [#"{"done":true}"#, #"{"error":"no command dance"}"#])
  }

  @Test(
    arguments: [
      .diagnostics, .standAside, .reset(.tokens, backingUp: true),
      .reset(.local(keepingPending: true), backingUp: false),
      .reset(.local(keepingPending: false), backingUp: true),
    ] as [ControlSocket.Question])
  func `a question is the same after its way as a line`(question: ControlSocket.Question) {
    #expect(ControlSocket.Question(question.json) == question)
  }

  @Test(arguments: [
    "{", "[]", "{}", #"{"ask":"weather"}"#, #"{"ask":7}"#, #"{"ask":"reset"}"#, #"{"ask":"reset","what":"all"}"#,
  ])
  func `a line that is neither is refused`(line: String) throws {
    let (said, pushes) = try talk(line + "\n", until: 1)
    #expect(said.count == 1)
    #expect(try JSON(parsing: said.first ?? "")["error"]?["reason"] == "BadMessage")
    #expect(pushes.isEmpty)
  }

  @Test func `a client that does not read its answers is not read from`() throws {
    let folder = try Folder.makeTemporary()
    let loop = try Loop()
    var asked = 0
    let answer = [UInt8](repeating: 0x61, count: 50_000) + [0x0A]
    let socket = try ControlSocket(folder: folder, loop: loop, onNotification: { _ in }, onCommand: { _, _ in }) { _ in
      asked += 1
      return answer
    }
    let client = Connection(to: socket.address, on: loop)
    client.pauseReading()
    var heard = 0
    client.onRead = { bytes in
      heard += bytes.count
      if heard == 1_000 * answer.count { loop.stop() }
    }
    client.write(Array(String(repeating: #"{"ask":"diagnostics"}"# + "\n", count: 1_000).utf8))
    // Another client is answered several times: what can happen without further events has happened then.
    var turns = 0
    let other = Connection(to: socket.address, on: loop)
    other.onRead = { bytes in
      guard bytes.last == 0x0A else { return }
      turns += 1
      if turns == 5 { loop.stop() } else { other.write(Array((#"{"ask":"diagnostics"}"# + "\n").utf8)) }
    }
    other.write(Array((#"{"ask":"diagnostics"}"# + "\n").utf8))
    loop.run()
    #expect(asked < 100)
    client.resumeReading()
    loop.run()
    #expect(asked == 1_005)
    loop.closeAll()
    try Folder.remove(folder)
  }

  /// Runs a device's control socket on another thread until it was asked once; `work` runs on this one.
  private func whileRunning(
    _ name: String, of world: StoresWorld, saying line: String, _ work: () throws -> Void
  ) throws {
    let folder = try world.data.device(name)
    let lock = try DirectoryLock(folder)
    let ready = DispatchSemaphore(value: 0)
    let gone = DispatchSemaphore(value: 0)
    let outcome = Outcome()
    Thread.detachNewThread {
      defer { gone.signal() }
      do {
        let loop = try Loop()
        let socket = try ControlSocket(folder: folder, loop: loop, onNotification: { _ in }, onCommand: { _, _ in }) {
          _ in
          // After the answer: a timer set now fires in a later step of the loop.
          ZoneKitEventLoop.Timer(on: loop) { loop.stop() }.schedule(after: 0)
          return Array(line.utf8)
        }
        outcome.address = "\(socket.address)"
        ready.signal()
        loop.run()
        loop.closeAll()
      } catch {
        ready.signal()
      }
    }
    ready.wait()
    try lock.note([("control", try #require(outcome.address))])
    try work()
    gone.wait()
  }

  /// Written before `ready` is signalled, read after.
  private final class Outcome: @unchecked Sendable {
    var address: String?
  }

  @Test func `a running device is asked, and its answer is taken before its file`() throws {
    let world = try StoresWorld()
    try world.makeDevice("A")
    let answer = #"{"device":{"name":"A","state":"fetching"},"traces":[{"change":"N@1","mergedAt":null}]}"# + "\n"
    try whileRunning("A", of: world, saying: answer) {
      let document = try DiagnosticsDump(of: world.data, version: "0.1.0", at: StoresWorld.now).document
      #expect(document["devices"] == [["name": "A", "state": "fetching"]])
      #expect(document["traces"] == [["change": "N@1", "mergedAt": .null]])
    }
  }

  @Test(arguments: ["{\"error\":\"the disk is gone\"}\n", "nonsense\n"])
  func `an answer that is no diagnostics leaves the file to tell`(answer: String) throws {
    let world = try StoresWorld()
    try world.makeDevice("A")
    try whileRunning("A", of: world, saying: answer) {
      let document = try DiagnosticsDump(of: world.data, version: "0.1.0", at: StoresWorld.now).document
      let device = try #require(document["devices"]?.array?.first)
      #expect(device["state"] == "offline")
      #expect(device["unanswered"]?.string?.contains("answered") == true)
    }
  }
}
