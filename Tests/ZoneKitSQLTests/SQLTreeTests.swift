import Testing
import ZoneKitRecords
import ZoneKitSQL
import ZoneKitSchema

@Suite struct `the tree of a text` {
  /// What the parser says about a text that it does not accept.
  private func refusal(_ text: String) -> SQLError? {
    do throws(SQLError) {
      _ = try SQLTree.parse(text)
      return nil
    } catch {
      return error
    }
  }

  @Test func `has a statement for each one of the text`() throws {
    let tree = try SQLTree.parse("begin; select 1;")
    #expect(tree["stmts"]?.array?.count == 2)
    #expect(tree["stmts"]?.array?.first?["stmt"] == ["TransactionStmt": ["kind": "TRANS_STMT_BEGIN"]])
  }

  @Test func `of nothing has no statements`() throws {
    for text in ["", ";;", " -- nothing\n", "/* nothing */"] {
      #expect(try SQLTree.parse(text)["stmts"] == [])
    }
  }

  @Test func `counts places in bytes`() throws {
    let tree = try SQLTree.parse("select 'é', 2")
    let results = tree["stmts"]?.array?.first?["stmt"]?["SelectStmt"]?["targetList"]?.array
    #expect(results?.last?["ResTarget"]?["location"] == 13)
  }

  @Test func `keeps texts as they are`() throws {
    let tree = try SQLTree.parse("select 'a''b\\ \u{1F600} \u{1}'")
    let results = tree["stmts"]?.array?.first?["stmt"]?["SelectStmt"]?["targetList"]?.array
    #expect(results?.first?["ResTarget"]?["val"]?["A_Const"]?["sval"]?["sval"] == "a'b\\ \u{1F600} \u{1}")
  }

  @Test func `has no other one: an error names the place and says it in PostgreSQL's words`() throws {
    let error = try #require(refusal("select 'é';\nselect é from from"))
    #expect(error.description == #"2:15: syntax error at or near "from""#)
    #expect(error.place?.offset == 28)
  }

  @Test func `is refused at the end of a text that stops too early`() throws {
    #expect(refusal("create table t (\n  a int")?.description == "2:8: syntax error at end of input")
    #expect(refusal("select 'abc")?.description == #"1:8: unterminated quoted string at or near "'abc""#)
  }

  @Test func `is not made of a text with a NUL byte`() {
    #expect(refusal("select 1;\n\0select 2")?.description == "2:1: a text cannot have a NUL byte")
  }

  @Test func `is made up to the limit of the size`() throws {
    let text = "select 1 --" + String(repeating: ".", count: SQLTree.sizeLimit - 11)
    #expect(try SQLTree.parse(text)["stmts"]?.array?.count == 1)
    #expect(refusal(text + ".")?.description == "the text has 2097153 bytes; at most 2097152 are read")
  }

  @Test func `is made up to the limit of a row of operators`() throws {
    #expect(refusal("--" + String(repeating: "-", count: SQLTree.operatorLimit - 2)) == nil)
    let error = try #require(refusal("\n--" + String(repeating: "-", count: SQLTree.operatorLimit - 1)))
    #expect(error.description == "2:257: at most 256 characters of operators are read in a row")
  }

  @Test(
    arguments: [
      (
        "select " + String(repeating: "(", count: 100_000) + "1" + String(repeating: ")", count: 100_000),
        "memory exhausted"
      ),
      ("select 1" + String(repeating: "+1", count: 100_000), "nests too deeply"),
      ("select 1" + String(repeating: "::a", count: 100_000), "nests too deeply"),
      ("select 1" + String(repeating: " union select 1", count: 100_000), "nests too deeply"),
      ("select " + String(repeating: "not ", count: 100_000) + "true", "memory exhausted"),
      (
        "select " + String(repeating: "(select ", count: 1_000) + "1" + String(repeating: ")", count: 1_000),
        "nests too"
      ),
      ("select from a" + String(repeating: " join a on b", count: 10_000), "nests too deeply"),
      ("select '" + String(repeating: "[", count: 1_000_000), "unterminated"),
    ])
  func `is refused for deep nesting`(text: String, message: String) throws {
    #expect(refusal(text)?.message.contains(message) == true)
  }

  @Test func `that is too deep is refused at a place within the statement`() throws {
    let found = try #require(refusal("select 1;\nselect 2 " + String(repeating: "+ 2", count: 1_000)))
    #expect(found.place?.line == 2)
  }

  @Test func `is made of warnings without number within a moment`() throws {
    let text = String(repeating: "create global temp table t();\n", count: 5_000)
    #expect(try SQLTree.parse(text)["stmts"]?.array?.count == 5_000)
  }

  @Test func `is made for many threads at the same time`() async {
    let failures = await withTaskGroup(of: Int.self) { group in
      for number in 0..<8 {
        group.addTask {
          (0..<50).count { _ in (try? SQLTree.parse("select \(number)")) == nil || refusal("select from from") == nil }
        }
      }
      return await group.reduce(0, +)
    }
    #expect(failures == 0)
  }
}
