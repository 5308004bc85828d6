import Testing
import ZoneKitDocuments
import ZoneKitRecords

@Suite struct `a document that is refused` {
  /// Why the lunch `A` is refused if a client sends that data; nil if it is taken.
  private func refusal(_ json: JSON?, _ operation: DocumentChange.Operation = .create) -> ChangeError? {
    refusal(of: "foodLogs", "A", json, operation)
  }

  /// Why a document is refused if a client sends that data; nil if it is taken.
  private func refusal(
    of collection: Name, _ id: String, _ json: JSON?, _ operation: DocumentChange.Operation = .create
  ) -> ChangeError? {
    let change = DocumentChange(
      operation, DocumentName(collection, id), at: Samples.stamp, data: json.map { DocumentData($0) })
    do throws(ChangeError) {
      _ = try DocumentReader(Samples.collection(collection), of: Samples.schema)
        .fields(after: change, before: nil, of: "nanny")
      return nil
    } catch { return error }
  }

  /// The lunch with another member; without it if the value is nil.
  private func lunch(_ key: String, _ value: JSON?) -> JSON {
    let members = (Samples.sentLunch.object ?? []).filter { $0.key != key }
    return .object(members + (value.map { [JSON.Member(key, $0)] } ?? []))
  }

  private func item(_ key: String, _ value: JSON?) -> JSON {
    let members = (Samples.sentLunch["items"]?.array?.first?.object ?? []).filter { $0.key != key }
    return lunch("items", .array([.object(members + (value.map { [JSON.Member(key, $0)] } ?? []))]))
  }

  private func text(_ count: Int) -> JSON { .string(String(repeating: "é", count: count)) }

  @Test func `is none of those at the edges of the ranges`() {
    for json in [
      lunch("notes", text(2_000)), lunch("mealName", text(100)), lunch("notes", .null), lunch("entryMethod", .null),
      lunch("loggedDate", "1970-01-01"), lunch("loggedDate", "2199-12-31"), lunch("loggedDate", "2028-02-29"),
      lunch("loggedAt", "2026-11-21T12:00:00.123456+14:00"), lunch("_id", "A"), lunch("userId", "nanny"),
      lunch("_id", .null), lunch("totals", "ignored"), lunch("version", "ignored"), item("quantityMilli", 1),
      item("quantityMilli", 100_000_000), item("quantityMilli", 3.0), item("energyKcal", 0), item("brand", .null),
      lunch("items", []),
    ] {
      #expect(refusal(json) == nil, "\(json)")
    }
  }

  @Test func `says which member is wrong and what it has to be`() {
    #expect(
      refusal(lunch("mealType", "brunch"))
        == ChangeError(
          .badDocument, "`mealType` is \"brunch\"; it has to be one of breakfast, lunch, dinner, snack",
          path: "data.mealType"))
    #expect(
      refusal(lunch("loggedDate", nil))
        == ChangeError(
          .badDocument, "`loggedDate` is missing; it has to be a day from 1970 to 2199, such as 2026-11-21",
          path: "data.loggedDate"))
    #expect(
      refusal(item("unit", "grams"))
        == ChangeError(
          .badDocument, "`unit` is \"grams\"; it has to be one of g, ml, piece, serving, cup, tbsp, tsp, slice",
          path: "data.items[0].unit"))
    #expect(
      refusal(item("quantityMilli", 1.5))
        == ChangeError(
          .badDocument, "`quantityMilli` is 1.5; it has to be a whole number from 1 to 100000000",
          path: "data.items[0].quantityMilli"))
  }

  @Test(
    arguments: [
      ("loggedDate", "2026-02-29"), ("loggedDate", "2026-11-21T00:00:00Z"), ("loggedDate", "2200-01-01"),
      ("loggedDate", "1969-12-31"), ("loggedDate", 20_261_121), ("loggedAt", "2026-11-21"), ("loggedAt", 1),
      ("loggedAt", "2026-11-21T12:00:00"), ("loggedAt", "1969-12-31T23:59:59Z"), ("mealType", 1), ("mealType", .null),
      ("notes", ""), ("notes", 1), ("entryMethod", "guess"), ("items", .null), ("items", 3),
      ("items", .array(Array(repeating: 1, count: 501))),
    ] as [(String, JSON)]) func `has a path to its member`(_ key: String, _ value: JSON)
  {
    let error = refusal(lunch(key, value))
    #expect(error?.code == .badDocument && error?.path == "data.\(key)")
  }

  @Test(
    arguments: [
      ("_id", nil), ("_id", ""), ("_id", "a b"), ("_id", 1), ("name", nil), ("name", ""), ("quantityMilli", 0),
      ("quantityMilli", 100_000_001), ("energyKcal", -1), ("sodiumMg", "1"), ("createdAt", "soon"), ("updatedAt", 5),
      ("deletedAt", true),
    ] as [(String, JSON?)]) func `has a path to the member of its item`(_ key: String, _ value: JSON?)
  {
    let error = refusal(item(key, value))
    #expect(error?.code == .badDocument && error?.path == "data.items[0].\(key)")
  }

  @Test func `has texts that are too long by their scalars`() {
    #expect(refusal(lunch("notes", text(2_001)))?.path == "data.notes")
    #expect(refusal(item("name", text(201)))?.path == "data.items[0].name")
  }

  @Test func `has two items of one ID`() {
    let one = Samples.sentLunch["items"]?.array ?? []
    #expect(
      refusal(lunch("items", .array(one + one)))
        == ChangeError(.badDocument, "two items have the ID A", path: "data.items[1]._id"))
  }

  @Test func `names another ID or account`() {
    #expect(refusal(lunch("_id", "B"))?.code == .forbiddenID)
    #expect(refusal(lunch("_id", 1))?.path == "data._id")
    #expect(
      refusal(lunch("userId", "granny"))
        == ChangeError(.forbiddenID, "`userId` is \"granny\", the change is about nanny", path: "data.userId"))
  }

  @Test func `has an ID that its collection does not allow`() {
    #expect(refusal(of: "userGoals", "mine", [:])?.path == "documentId")
    #expect(refusal(of: "userGoals", "goals", [:]) == nil)
    let food = Samples.parsed(
      #"{"foodId":"A","name":"Oats","quantityMilli":1,"unit":"g","lastUsedAt":"2026-11-21T12:00:00Z"}"#)
    #expect(refusal(of: "recentFoods", "A", food) == nil)
    #expect(refusal(of: "recentFoods", "B", food)?.path == "data.foodId")
    // The Kelvin sign is equal to K for a comparison by canonical equivalence.
    let kelvin = Samples.parsed(
      #"{"foodId":"\u212A","name":"Oats","quantityMilli":1,"unit":"g","lastUsedAt":"2026-11-21T12:00:00Z"}"#)
    #expect(refusal(of: "recentFoods", "K", kelvin)?.path == "data.foodId")
  }

  @Test func `has no data, or data that is no object`() {
    #expect(refusal(nil)?.path == "data")
    #expect(refusal([1], .update)?.message == "`update` needs the whole document")
  }

  @Test func `has unknown members of more than 16 KiB`() {
    let (fits, large) = (String(repeating: "x", count: 16_374), String(repeating: "x", count: 16_375))
    #expect(refusal(lunch("new", .string(fits))) == nil)
    #expect(refusal(lunch("new", .string(large)))?.code == .tooLarge)
    #expect(refusal(item("new", .string(large)))?.path == "data.items[0]")
  }

  @Test func `has more than 256 KiB of text`() {
    let items = (0..<500).map { index in
      Samples.parsed(
        #"{"_id":"I\#(index)","name":"x","quantityMilli":1,"unit":"g","new":"\#(String(repeating: "x", count: 500))"}"#)
    }
    let error = refusal(lunch("items", .array(items)))
    #expect(error?.code == .tooLarge && error?.path == "data")
    #expect(refusal(lunch("items", .array(Array(items.prefix(300))))) == nil)
  }
}
