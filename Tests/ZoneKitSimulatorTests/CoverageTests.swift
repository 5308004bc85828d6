import Testing
import ZoneKitSimulator

/// The forms of commands in a coverage.
struct CoverageTests {
  @Test(arguments: [
    ("edit @1 placename \"Am See\"", "edit placename"), ("edit @1 placename none", "edit placename none"),
    ("add @2 \"none \\\" g\" 0.5 cup kcal 3", "add cup"), ("log sleep at 12:00 until 12:00", "log sleep"),
    ("say persons/@1 \"hello you\"", "say"), ("save i1 a xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "save a"),
  ])
  func `a form is the command without its arguments`(line: String, form: String) {
    #expect(Coverage.form(of: line) == form)
  }

  @Test func `counts of two runs are added`() {
    let visit = Coverage.Visit(app: "Items", form: "delete", state: "idle")
    var (one, other) = (Coverage(), Coverage())
    one.counts[visit, default: Coverage.Count()].changed = 2
    other.counts[visit, default: Coverage.Count()].refused = 1
    one.add(other)
    #expect(one.counts[visit]?.changed == 2)
    #expect(one.counts[visit]?.total == 3)
  }
}
