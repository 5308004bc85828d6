import ZoneKitNannyAndMe
import ZoneKitRecords
import ZoneKitSync
import Testing

struct ProfileStoreTests {
  private let first = NannyZone.firstProfile(of: "nanny")

  @Test func `the account's first profile counts only where there is no other`() throws {
    let imported = Profile(id: recordID("FFFFFFFF-FFFF-4FFF-BFFF-FFFFFFFFFFFF"), name: "Mia", updatedAt: morning)
    var device = try TestDevice(profiles: [first])
    #expect(device.app.currentProfile == first)
    try device.save([RecordEdit(imported, stamping: .asGiven)])
    #expect(device.app.currentProfile == imported)
  }

  @Test func `of several profiles the smallest ID is meant on every device`() throws {
    let two = ["B", "A"].map { Profile(id: recordID(Name($0)), name: $0, updatedAt: morning) }
    #expect(try TestDevice(profiles: two).app.currentProfile?.name == "A")
  }

  @Test func `a rename from elsewhere is seen after the notice`() throws {
    var device = try TestDevice(profiles: [first])
    var renamed = first
    renamed.name = "Zoë"
    try device.save([RecordEdit(renamed, stamping: .asGiven)])
    #expect(device.app.currentProfile?.name == "Zoë")
    try device.save([.delete(first.id)])
    #expect(device.app.currentProfile == nil)
  }
}
