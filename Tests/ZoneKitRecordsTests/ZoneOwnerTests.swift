import Testing
import ZoneKitRecords

@Suite struct `a zone's owner` {
  @Test(arguments: ["", "_defaultOwner", "__defaultOwner__"] as [Name])
  func `is the caller by an empty name and by both placeholders`(name: Name) {
    #expect(ZoneOwner(recordName: name) == .caller)
    #expect(ZoneOwner(recordName: name).recordName == "_defaultOwner")
  }

  @Test func `is another user by any other name, and keeps that name`() {
    #expect(ZoneOwner(recordName: "_mum") == .user("_mum"))
    #expect(ZoneOwner(recordName: "_mum").recordName == "_mum")
  }

  @Test func `is the caller to the user whose record name it is, and to nobody else`() {
    #expect(ZoneOwner.user("_mum").resolved(for: "_mum") == .caller)
    #expect(ZoneOwner.user("_mum").resolved(for: "_dad") == .user("_mum"))
    #expect(ZoneOwner.caller.resolved(for: "_mum") == .caller)
  }

  @Test func `is written with the caller's record name where it is the caller`() {
    #expect(ZoneOwner.caller.recordName(callerIs: "_mum") == "_mum")
    #expect(ZoneOwner.user("_dad").recordName(callerIs: "_mum") == "_dad")
  }

  @Test func `is ordered by its name`() {
    #expect([ZoneOwner.user("_mum"), .user("_dad"), .caller].sorted() == [.user("_dad"), .caller, .user("_mum")])
  }
}
