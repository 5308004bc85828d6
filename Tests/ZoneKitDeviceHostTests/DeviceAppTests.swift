import Testing
import ZoneKitRecords
import ZoneKitSimulator
import ZoneKitTables

@testable import ZoneKitDeviceHost

@Suite struct `an app` {
  private let app = ItemsApp.app

  @Test(arguments: [("Items", true), ("items", true), ("ITEMS", true), ("it-ems", true), ("item", false), ("", false)])
  func `is found by its name without regard to case and hyphens`(name: String, isFound: Bool) {
    #expect(app.isNamed(name) == isFound)
  }

  @Test func `has a protocol unless its cloud is one of tables`() {
    var app = app
    #expect(app.adapter != nil)
    app.cloud = .tables(
      TableApp(name: "t", container: "c", environment: .development, zone: "Z", schema: TableSchema([])))
    #expect(app.adapter == nil)
  }
}
