import Testing
import ZoneKitDocuments
import ZoneKitRecords

@Suite struct `a file of documents is read` {
  @Test func `with every kind of member`() throws {
    let app = try readDocuments(
      documentsFile(
        """
        "a": {"type": "string"}, "b": {"type": "string", "minLength": 1, "maxLength": 9, "default": "x"},
        "c": {"type": "string", "format": "date"}, "d": {"type": "string", "format": "date-time"},
        "e": {"type": "string", "format": "document-id"}, "f": {"enum": ["x", "y"], "default": "y"},
        "g": {"type": "integer"}, "h": {"type": "integer", "minimum": -1, "maximum": 3.0, "default": 2},
        "i": {"type": "number"}, "j": {"type": "number", "minimum": 0, "maximum": 0.5}, "k": {"type": "boolean"},
        "l": {"type": "boolean", "default": true},
        "m": {"type": "array", "maxItems": 500, "items": {"type": "object", "x-zonekit-totals": ["o"],
          "properties": {"n": {"type": "string", "format": "date-time"}, "o": {"type": "integer", "minimum": 0}}}}
        """, required: ##""a", "k", "m""##))
    let every = -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
    let items = DocumentItems(
      [DocumentMember("n", .time, isOptional: true), DocumentMember("o", .integer(0 ... .max), isOptional: true)],
      amounts: ["o"])
    #expect(
      app.schema
        == DocumentSchema(
          [
            DocumentCollection(
              "books",
              [
                DocumentMember("a", .text(0...262_144)), DocumentMember("b", .text(1...9), default: .string("x")),
                DocumentMember("c", .day, isOptional: true), DocumentMember("d", .time, isOptional: true),
                DocumentMember("e", .documentID, isOptional: true),
                DocumentMember("f", .choice(["x", "y"]), default: .string("y")),
                DocumentMember("g", .integer(.min ... .max), isOptional: true),
                DocumentMember("h", .integer(-1...3), default: .int64(2)),
                DocumentMember("i", .number(every), isOptional: true),
                DocumentMember("j", .number(0...0.5), isOptional: true), DocumentMember("k", .boolean),
                DocumentMember("l", .boolean, default: .int64(1)), DocumentMember("m", .items(items)),
              ])
          ], summary: nil))
  }

  @Test func `with a place that follows from its name`() throws {
    let app = try readDocuments(documentsFile())
    #expect((app.name, app.container, app.zone) == ("reading-list", "iCloud.com.example.reading-list", "Documents"))
    #expect(app.environment == .development && app.schema.version == 1)
    let other = try readDocuments(
      documentsFile(root: ##""x-zonekit-container": "iCloud.a.b", "x-zonekit-zone": "Z", "x-zonekit-version": 3, "##))
    #expect((other.container, other.zone, other.schema.version) == ("iCloud.a.b", "Z", 3))
  }

  @Test func `with identities and annotations`() throws {
    let only = try readDocuments(
      documentsFile(collection: ##""description": "d", "$comment": "c", "x-zonekit-identity": {"only": "b"}, "##))
    #expect(only.schema.collections[0].identity == .only("b"))
    let member = try readDocuments(
      documentsFile(required: ##""name""##, collection: ##""x-zonekit-identity": {"member": "name"}, "##))
    #expect(member.schema.collections[0].identity == .member("name"))
  }

  @Test func `with sums by day`() throws {
    let app = try readDocuments(Summed.file())
    #expect(
      app.schema.summary
        == DocumentSchema.Summary("days", of: "books", by: "day", documents: "books", items: "sessions"))
    #expect(app.schema.collections.map(\.isDerived) == [false, true])
    #expect(app.schema.summed.names == ["pages"] && app.schema.summed.counts == ["books", "sessions"])
  }
}

@Suite struct `a file of documents is refused` {
  @Test(arguments: [
    (##""name": {"type": "strng"}"##, ##"f:3:18: unknown type "strng"; did you mean "string"?"##),
    (
      ##""name": {"type": "text"}"##,
      ##"f:3:18: unknown type "text"; there are string, integer, number, boolean, array"##
    ),
    (
      ##""name": {"maxLength": 3}"##,
      ##"f:3:9: "type" of "name" is missing; there are string, integer, number, boolean, array"##
    ),
    (
      ##""name": {"type": ["string", "null"]}"##,
      ##"f:3:18: "type" is an array; it has to be one of string, integer, number, boolean, array. A member that is not in "required" may be null"##
    ),
    (
      ##""name": {"type": "object"}"##,
      ##"f:3:18: a member of type "object" is not supported; give the document its members, or a list of items"##
    ),
    (
      ##""name": {"type": "string", "maxLenght": 3}"##,
      ##"f:3:28: unknown keyword "maxLenght"; did you mean "maxLength"?"##
    ),
    (
      ##""name": {"type": "boolean", "size": 3}"##, ##"f:3:29: unknown keyword "size"; there are type, default"##
    ),
    (
      ##""name": {"type": "string", "pattern": "a+"}"##,
      ##"f:3:28: "pattern" is not supported; texts have "minLength", "maxLength", "enum" and "format""##
    ),
    (##""name": {"type": "string", "oneOf": []}"##, ##"f:3:28: "oneOf" is not supported; a member has one type"##),
    (
      ##""name": {"type": "string", "maxLength": "9"}"##,
      ##"f:3:41: "maxLength" is "9"; it has to be a whole number from 0 to 262144"##
    ),
    (
      ##""name": {"type": "string", "minLength": 2, "maxLength": 1}"##,
      ##"f:3:9: "minLength" is greater than "maxLength""##
    ),
    (##""name": {"type": "integer", "minimum": 2, "maximum": 1}"##, ##"f:3:9: "minimum" is greater than "maximum""##),
    (##""name": {"type": "number", "minimum": 2, "maximum": 1}"##, ##"f:3:9: "minimum" is greater than "maximum""##),
    (##""name": {"type": "number", "minimum": "2"}"##, ##"f:3:39: "minimum" is "2"; it has to be a number"##),
    (
      ##""name": {"type": "integer", "minimum": 1.5}"##,
      ##"f:3:40: "minimum" is 1.5; it has to be a whole number from -9223372036854775808 to 9223372036854775807"##
    ),
    (##""name": {"type": "string", "format": "dat"}"##, ##"f:3:38: unknown format "dat"; did you mean "date"?"##),
    (
      ##""name": {"type": "string", "format": "uuid"}"##,
      ##"f:3:38: unknown format "uuid"; there are date, date-time, document-id"##
    ),
    (##""name": {"enum": []}"##, ##"f:3:18: "enum" has 0 texts; it has to have 1 to 500"##),
    (##""name": {"enum": ["a", 1]}"##, ##"f:3:24: "enum" has 1; it has to be a list of texts"##),
    (##""name": {"enum": ["a", "a"]}"##, ##"f:3:24: "a" is there twice; leave one out"##),
    (##""name": {"enum": ["a"], "type": "integer"}"##, ##"f:3:33: "type" is "integer"; it has to be "string""##),
    (
      ##""name": {"type": "integer", "maximum": 3, "default": 4}"##,
      ##"f:3:54: "default" is 4; it has to be a whole number from -9223372036854775808 to 3"##
    ),
    (
      ##""version": {"type": "string"}"##,
      ##"f:3:1: "version" is reserved: every document has it; choose another name"##
    ),
    (##""_id": {"type": "string"}"##, ##"f:3:1: "_id" is reserved: every document has it; choose another name"##),
    (
      ##""my name": {"type": "string"}"##,
      ##"f:3:1: "my name" is no name; a name has at most 64 of the characters A-Z, a-z, 0-9 and _, and begins with a letter, such as "my_name""##
    ),
    (##""name": {"type": "string"}, "name": {"type": "string"}"##, ##"f:3:29: "name" is there twice; leave one out"##),
    (##""name": 7"##, ##"f:3:9: this is 7; it has to be a schema, such as {"type": "string"}"##),
    (##""name": {"$ref": "#/$defs/Bok"}"##, ##"f:3:18: there is no "Bok" in "$defs"; did you mean "Book"?"##),
    (##""name": {"$ref": "Book"}"##, ##"f:3:18: "$ref" is "Book"; it has to be "#/$defs/" and a name of "$defs""##),
    ("", ##"f:2:68: "properties" has to be an object with at least one member"##),
  ])
  func `for a member with a problem`(_ properties: String, _ message: String) {
    #expect(problems(documentsFile(properties)) == [message])
  }

  @Test(arguments: [
    (##"{"type": "array"}"##, ##"f:3:10: "items" is missing; it has to be the schema of an item"##),
    (
      ##"{"type": "array", "items": {"type": "string"}}"##,
      ##"f:3:46: the items of a list have to be of the type "object"; they have IDs, and merge one by one"##
    ),
    (
      ##"{"type": "array", "items": {"type": "object"}}"##,
      ##"f:3:37: "properties" has to be an object with at least one member"##
    ),
    (
      ##"{"type": "array", "maxItems": 9, "items": {"type": "object", "properties": {"a": {"type": "boolean"}}}}"##,
      ##"f:3:40: "maxItems" is 9; it can only be 500, the limit of all lists"##
    ),
    (
      ##"{"type": "array", "items": {"type": "object", "properties": {"createdAt": {"type": "boolean"}}}}"##,
      ##"f:3:71: "createdAt" is reserved: every item has it; choose another name"##
    ),
    (
      ##"{"type": "array", "items": {"type": "object", "properties": {"a": {"type": "array"}}}}"##,
      ##"f:3:85: a list inside of an item is not supported; give the item other members"##
    ),
    (
      ##"{"type": "array", "items": {"type": "object", "properties": {"a": {"type": "boolean"}}, "x-zonekit-totals": ["b"]}}"##,
      ##"f:3:119: there is no member "b"; there are a"##
    ),
  ])
  func `for a list with a problem`(_ list: String, _ message: String) {
    #expect(problems(documentsFile(##""notes": "## + list, required: ##""notes""##)) == [message])
  }

  @Test func `for lists that documents cannot have`() {
    let list = ##"{"type": "array", "items": {"type": "object", "properties": {"a": {"type": "boolean"}}}}"##
    #expect(
      problems(documentsFile(##""notes": \##(list)"##)) == [
        ##"f:3:1: "notes" has to be in "required": items are always there"##
      ]
    )
    #expect(
      problems(documentsFile("\"notes\": \(list),\n\"more\": \(list)", required: ##""notes", "more""##))
        == ["f:4:1: a second list of items is not supported; put the items into one list"])
  }

  @Test func `for sums that cannot be made`() {
    for (text, message) in [
      (Summed.file(of: "book"), ##"f:4:29: there is no collection "book"; did you mean "books"?"##),
      (Summed.file(by: "name"), ##"f:4:44: "name" is no member of books with the format "date"; there are day"##),
      (
        Summed.file(documents: "pages"),
        ##"f:5:14: "pages" cannot be the name of a count; choose a name that the sums do not have already"##
      ),
      (
        Summed.file(items: "parts"),
        ##"f:5:32: "parts" cannot be the name of a count; choose a name that the sums do not have already"##
      ),
      (Summed.file(totals: "page"), ##"f:8:22: there is no member "page"; did you mean "pages"?"##),
      (
        Summed.file(totals: "delta"),
        ##"f:8:22: "delta" cannot be summed; it has to be an integer with a "minimum" of 0 or more"##
      ),
      (Summed.file(totals: "items"), ##"f:8:22: "items" is reserved in sums; choose another name"##),
      (
        Summed.file(
          second:
            ##""weeks": {"type": "array", "x-zonekit-summary": {"of": "books", "by": "day", "documents": "n", "items": "m"}},"##
        ),
        ##"f:4:22: only one "x-zonekit-summary" is supported; leave the others out"##
      ),
    ] {
      #expect(problems(text) == [message], "\(text)")
    }
    let document = ##"{"type": "array", "items": {"type": "object", "properties": {"b": {"type": "boolean"}}}}"##
    let summary = ##"{"type": "array", "x-zonekit-summary":\##n{"of": "a", "by": 1}}"##
    #expect(
      problems(##"{"title": "r", "type": "object", "properties": {"a": \##(document), "s": \##(summary)}}"##)
        == [
          ##"f:2:1: "documents" is missing; it has to be a name"##,
          ##"f:2:1: "items" is missing; it has to be a name"##,
          "f:2:8: the documents of a have no items, so there is nothing to sum up",
          ##"f:2:19: "by" is 1; it has to be a name"##,
        ])
  }

  @Test func `for an app with a problem`() {
    for (text, message) in [
      (documentsFile(root: ##""x-zonekit-zone": "ConflictJournal", "##), ##""x-zonekit-zone" is "ConflictJournal""##),
      (documentsFile(root: ##""x-zonekit-container": "../x", "##), ##""x-zonekit-container" is "../x""##),
      (
        documentsFile(root: ##""x-zonekit-version": 0, "##),
        ##""x-zonekit-version" is 0; it has to be a whole number from 1 to 1000000"##
      ),
      (documentsFile(root: ##""$schema": "http://json-schema.org/draft-07/schema#", "##), "2020-12"),
      (
        documentsFile(root: ##""additionalProperties": false, "##),
        ##""additionalProperties" is false; it can only be true"##
      ),
      (documentsFile(root: ##""definitions": {}, "##), ##""definitions" is not supported; use "$defs""##),
      (documentsFile(definitions: ##""Page": {"type": "integer"}, "##), ##"no collection uses "Page"; leave it out"##),
      (
        documentsFile(##""a": {"$ref": "#/$defs/A"}"##, definitions: ##""A": {"$ref": "#/$defs/A"}, "##),
        "leads back to itself"
      ),
      (documentsFile().replacing("reading-list", with: "reading list"), ##"such as "reading-list""##),
      (
        documentsFile().replacing(##""title": "reading-list", "##, with: ""),
        ##"f:1:1: "title" is missing; it has to be the app's name"##
      ),
      (
        documentsFile().replacing(##""books""##, with: ##""conflicts""##),
        ##""conflicts" is reserved: it is the collection of the conflict journal"##
      ),
      (
        ##"{"title": "r", "type": "object", "properties": {}}"##,
        ##"f:1:48: "properties" has to be an object with at least one"##
      ),
      (
        ##"{"title": "r", "type": "object", "properties": {"a": {"type": "array"}}}"##,
        ##""items" is missing; it has to be the schema of a document of a"##
      ),
      ("[]", "f:1:1: the file is an array; it has to be an object"),
      ("{\n \"a\" 1}", "f:2:6: this is no JSON: expected ':'"),
      ("", "f:1:1: this is no JSON: expected a value, found the end"),
    ] {
      let found = problems(text)
      #expect(found.count == 1 && found.first?.contains(message) == true, "\(found), not \(message)")
    }
  }

  @Test func `for names that lead nowhere`() {
    for (text, message) in [
      (documentsFile(required: ##""nam""##), ##"there is no member "nam"; did you mean "name"?"##),
      (documentsFile(required: "1"), ##""required" has 1; it has to be a list of names of members"##),
      (
        documentsFile(collection: ##""x-zonekit-identity": {"only": "a b"}, "##),
        ##""only" is "a b"; it has to be 1 to 64"##
      ),
      (
        documentsFile(collection: ##""x-zonekit-identity": {"member": "nam"}, "##),
        ##"there is no member "nam"; did you mean "name"?"##
      ),
      (
        documentsFile(collection: ##""x-zonekit-identity": {"member": "name"}, "##),
        ##""name" cannot be the ID of a document"##
      ),
      (
        documentsFile(collection: ##""x-zonekit-identity": {"key": "name"}, "##),
        ##"unknown keyword "key"; it has to be"##
      ),
      (
        documentsFile(collection: ##""x-zonekit-identity": "name", "##),
        ##"it has to be {"only": ID} or {"member": NAME}"##
      ),
    ] {
      let found = problems(text)
      #expect(found.count == 1 && found.first?.contains(message) == true, "\(found), not \(message)")
    }
  }

  @Test func `with all of its problems in the order of the file`() {
    let found = problems(
      documentsFile(
        ##""a": {"type": "strng"}, "b": {"type": "integer", "maximum": "x"}"##, required: ##""c""##,
        root: ##""tile": 1, "##))
    #expect(found.map { String($0.prefix(8)) } == ["f:1:45: ", "f:2:51: ", "f:3:15: ", "f:3:61: "])
  }

  @Test func `with names that differ in case alone`() {
    let document = ##"{"type": "array", "items": {"type": "object", "properties": {"a": {"type": "boolean"}}}}"##
    #expect(
      problems("{\"title\": \"r\", \"type\": \"object\", \"properties\": {\"a\": \(document),\n\"A\": \(document)}}")
        == ["f:2:1: the names of collections have to differ in more than case"])
  }
}

extension String {
  fileprivate func replacing(_ text: String, with other: String) -> String {
    guard let range = firstRange(of: text) else { return self }
    return String(self[..<range.lowerBound]) + other + String(self[range.upperBound...])
  }
}
