import Testing
import ZoneKitRecords

@testable import ZoneKitCloud

@Suite struct `the schema language` {
  private typealias Field = ContainerSchema.Field
  private typealias ValueType = ContainerSchema.ValueType

  private static func read(_ text: String) throws(ContainerSchemaError) -> ContainerSchema {
    try ContainerSchema(reading: Array(text.utf8))
  }

  @Test func `has types, indexes, roles, grants and three forms of comments`() throws {
    let schema = try Self.read(
      """
      // A schema of everything.
      DEFINE SCHEMA
          CREATE ROLE "night shift"; -- with a space

          RECORD TYPE Note (
              "___createTime" TIMESTAMP QUERYABLE SORTABLE,
              "___recordID"   REFERENCE QUERYABLE,
              title           STRING QUERYABLE SEARCHABLE SORTABLE,
              tags            LIST<STRING>,  /* a
                                                list */
              secret          ENCRYPTED BYTES,
              "queryable"     NUMBER PREFERRED AS INT64,
              size            NUMBER,
              GRANT WRITE TO "_creator",
              GRANT READ, create TO "night shift",
              place           LOCATION
          );
          record type Bare ( );
      """)
    let note = ContainerSchema.RecordType(
      "Note",
      [
        Field("___createTime", ValueType(.timestamp), [.queryable, .sortable]),
        Field("___recordID", ValueType(.reference), .queryable),
        Field("title", ValueType(.string), [.queryable, .searchable, .sortable]),
        Field("tags", ValueType(.string, isList: true)), Field("secret", ValueType(.bytes, isEncrypted: true)),
        Field("queryable", ValueType(.number, preferred: .int64)), Field("size", ValueType(.number)),
        Field("place", ValueType(.location)),
      ],
      [ContainerSchema.Grant(.write, to: "_creator"), ContainerSchema.Grant([.read, .create], to: "night shift")])
    let bare = ContainerSchema.RecordType("Bare", [], [])
    #expect(schema == ContainerSchema(roles: ["night shift"], types: [note, bare]))
    #expect(
      schema.definitions(of: "Note") == [
        FieldDefinition(recordType: "Note", field: "place", type: .location),
        FieldDefinition(recordType: "Note", field: "queryable", type: .int64),
        FieldDefinition(recordType: "Note", field: "secret", type: .encryptedBytes),
        FieldDefinition(recordType: "Note", field: "size", type: .double),
        FieldDefinition(recordType: "Note", field: "tags", type: .stringList),
        FieldDefinition(recordType: "Note", field: "title", type: .string),
      ])
    #expect(schema.definitions(of: "Users") == [] && schema.definitions(of: "None") == nil)
  }

  @Test(
    arguments: [
      ("", 1, 1, "a schema begins with DEFINE SCHEMA; here is the end of the text"),
      ("DEFINE SCHEMA TABLE", 1, 15, "RECORD TYPE or CREATE ROLE is expected; here is TABLE"),
      (
        "DEFINE SCHEMA\nRECORD TYPE A (a STRING)", 2, 25,
        "a record type or role ends with ;; here is the end of the text"
      ),
      (
        "DEFINE SCHEMA RECORD TYPE A (\n  a TEXT);", 2, 5,
        "a type is expected: ASSET, BYTES, DOUBLE, INT64, LOCATION, "
          + "NUMBER, REFERENCE, STRING, TIMESTAMP or LIST<…>; here is TEXT"
      ),
      (
        "DEFINE SCHEMA RECORD TYPE A (a STRING INDEXED);", 1, 39,
        "a field is followed by an index, a comma or ); here is INDEXED"
      ),
      ("DEFINE SCHEMA RECORD TYPE A (a STRING,);", 1, 39, "the name of a field, or GRANT, is expected; here is )"),
      (
        "DEFINE SCHEMA RECORD TYPE A (a STRING,\n a INT64);", 2, 2,
        "field a is there already; define it once in a record type"
      ),
      (
        "DEFINE SCHEMA RECORD TYPE A (); RECORD TYPE A ();", 1, 45,
        "record type A is there already; define it once"
      ),
      ("DEFINE SCHEMA RECORD TYPE \"1\" ();", 1, 27, "1 is not a letter, then letters, digits and underscores"),
      ("DEFINE SCHEMA RECORD TYPE A (\"___etag\" INT64);", 1, 40, "the system field ___etag is of type STRING"),
      (
        "DEFINE SCHEMA RECORD TYPE A (_x INT64);", 1, 30,
        "_x is no system field; those are ___createTime, ___createdBy, ___etag, ___modTime, ___modifiedBy, ___recordID"
      ),
      (
        "DEFINE SCHEMA RECORD TYPE A (GRANT READ TO boss);", 1, 44,
        "there is no role boss; CREATE ROLE makes one, and every schema has \"_world\", \"_icloud\", \"_creator\""
      ),
      (
        "DEFINE SCHEMA RECORD TYPE A (GRANT LOOK TO \"_world\");", 1, 36,
        "GRANT is followed by READ, CREATE or WRITE; here is LOOK"
      ),
      ("DEFINE SCHEMA RECORD TYPE A (a ENCRYPTED ASSET);", 1, 42, "a field of type ASSET cannot be ENCRYPTED"),
      (
        "DEFINE SCHEMA RECORD TYPE A (a LIST STRING);", 1, 37,
        "LIST is followed by the type of its elements, such as LIST<STRING>; here is STRING"
      ),
      ("DEFINE SCHEMA /* é */ /* no end", 1, 23, "the comment is not closed by */"),
      ("DEFINE SCHEMA CREATE ROLE \"x\n\";", 1, 27, "the name has no closing quotation mark"),
      (
        "DEFINE SCHEMA CREATE ROLE b\u{F6}se;", 1, 28,
        "\u{F6} has no meaning here; names with such characters stand in quotation marks"
      ),
      ("DEFINE SCHEMA CREATE ROLE a; CREATE ROLE a;", 1, 42, "role a is there already; create it once"),
    ])
  func `says the place of a problem and what would be right`(text: String, line: Int, column: Int, message: String) {
    #expect(throws: ContainerSchemaError(line: line, column: column, message: message)) { try Self.read(text) }
  }

  @Test(arguments: 0..<200)
  func `is read as it was written`(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    let schema = Self.schema(using: &generator)
    #expect(try Self.read(schema.text) == schema)
  }

  /// Texts of random tokens and mutilated schemas: each is read or refused.
  @Test(arguments: 0..<200)
  func `any text is read or refused`(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    var text = Array(Self.schema(using: &generator).text.utf8)
    for _ in 0..<Int.random(in: 1...8, using: &generator) where !text.isEmpty {
      let place = Int.random(in: text.indices, using: &generator)
      if Bool.random(using: &generator) {
        text.remove(at: place)
      } else {
        text[place] = UInt8.random(in: 0...255, using: &generator)
      }
    }
    do {
      let schema = try ContainerSchema(reading: text)
      #expect(try Self.read(schema.text) == schema)
    } catch {
      #expect(error.line >= 1 && error.column >= 1 && !error.message.isEmpty)
    }
  }

  private static func schema(using generator: inout SplitMix64) -> ContainerSchema {
    let names = ["a", "Grant", "list", "to", "B_9", "queryable", "x1"]
    let roles = ["night shift", "boss", "grant"].filter { _ in Bool.random(using: &generator) }
    let types = names.filter { _ in Bool.random(using: &generator) }.map { name in
      var fields: [Field] = []
      for field in names + ["___recordID", "___modTime"] where Bool.random(using: &generator) {
        let indexes = ContainerSchema.Indexes(rawValue: UInt8.random(in: 0...7, using: &generator))
        let system = ContainerSchema.RecordType.systemFields.first { $0.name.text == field }
        fields.append(Field(Name(field), system.map { ValueType($0.type) } ?? type(using: &generator), indexes))
      }
      let grants = (roles + ContainerSchema.systemRoles).filter { _ in Bool.random(using: &generator) }.map {
        ContainerSchema.Grant(.init(rawValue: UInt8.random(in: 1...7, using: &generator)), to: $0)
      }
      return ContainerSchema.RecordType(Name(name), fields, grants)
    }
    return ContainerSchema(roles: roles, types: types)
  }

  private static func type(using generator: inout SplitMix64) -> ContainerSchema.ValueType {
    let base = ContainerSchema.ValueType.Base.allCases.randomElement(using: &generator) ?? .string
    let canHide = [ValueType.Base.bytes, .string, .double, .int64, .location, .timestamp].contains(base)
    return ContainerSchema.ValueType(
      base, isList: Bool.random(using: &generator), isEncrypted: canHide && Bool.random(using: &generator),
      preferred: base == .number ? [nil, .int64, .double].randomElement(using: &generator) ?? nil : nil)
  }
}
