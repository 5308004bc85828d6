import ZoneKitRecords
import ZoneKitRelations
import ZoneKitTables

/// The description of all tables that `GET /rest/v1/` answers: OpenAPI 2.0, as PostgREST writes it.
package struct TableDescription: Sendable {
  private let tables: [DescribedTable]

  /// The media type of the description.
  package static let contentType = "application/openapi+json; charset=utf-8"

  /// The description of those tables.
  package init(of schema: TableSchema) {
    self.init(
      schema.tables.sorted { $0.name < $1.name }
        .map { DescribedTable($0.name.text, $0.columns.map(\.name.text), Self.definition(of: $0)) })
  }

  /// The description of those tables, in their order.
  package init(_ tables: [DescribedTable]) { self.tables = tables }

  /// Whether a request asks for the description.
  package static func isAsked(by request: HTTPRequest) -> Bool {
    (request.method == "GET" || request.method == "HEAD")
      && (request.path == RowCall.root || request.path == "/rest/v1")
  }

  /// The description.
  package var json: JSON {
    [
      "swagger": "2.0", "info": ["title": "ZoneKit tables", "description": "", "version": "1"],
      "basePath": "/rest/v1", "schemes": ["http"],
      "consumes": ["application/json", "application/vnd.pgrst.object+json"],
      "produces": ["application/json", "application/vnd.pgrst.object+json"],
      "paths": .object(tables.map { JSON.Member("/\($0.name)", Self.path(of: $0)) }),
      "definitions": .object(tables.map { JSON.Member($0.name, $0.definition) }),
    ]
  }

  private static func path(of table: DescribedTable) -> JSON {
    let filters = table.columns.map { column -> JSON in
      [
        "name": .string(column), "in": "query", "required": false, "type": "string",
        "description": "a condition, such as eq.VALUE",
      ]
    }
    let row: JSON = ["$ref": .string("#/definitions/\(table.name)")]
    let body: JSON = ["name": "rows", "in": "body", "schema": row]
    return [
      "get": call(
        table, "Read rows.", filters,
        [
          "200": ["description": "OK", "schema": ["type": "array", "items": row]],
          "206": ["description": "Partial Content"],
        ]),
      "post": call(table, "Insert or merge rows.", [body], ["201": ["description": "Created"]]),
      "patch": call(table, "Change rows.", filters + [body], ["204": ["description": "No Content"]]),
      "delete": call(table, "Remove rows.", filters, ["204": ["description": "No Content"]]),
    ]
  }

  private static func call(_ table: DescribedTable, _ summary: String, _ parameters: [JSON], _ responses: JSON) -> JSON
  {
    [
      "tags": [.string(table.name)], "summary": .string(summary), "parameters": .array(parameters),
      "responses": responses,
    ]
  }

  private static func definition(of table: Table) -> JSON {
    let required = table.columns.filter(\.isRequired).map { JSON.string($0.name.text) }
    return JSON(known: [
      "required": required.isEmpty ? nil : .array(required), "type": "object",
      "properties": .object(table.columns.map { JSON.Member($0.name.text, property($0, of: table)) }),
    ])
  }

  private static func property(_ column: Column, of table: Table) -> JSON {
    JSON(known: [
      "type": .string(column.type.jsonType), "format": .string(column.type.longName),
      "default": constant(column.defaultValue), "description": note(on: column, of: table).map { .string($0) },
    ])
  }

  /// A default value as JSON; nil for null. No column has another value by default.
  private static func constant(_ value: RowValue) -> JSON? {
    switch value {
    case .null, .uuid, .timestamp: return nil
    case .text(let text): return .string(text)
    case .bool(let value): return .bool(value)
    case .float8(let number): return .number(number)
    case .int4(let number): return .integer(Int64(number))
    }
  }

  /// What PostgREST says about keys. Its clients look for the marks in angle brackets.
  private static func note(on column: Column, of table: Table) -> String? {
    if let key = column.foreignKey {
      return "Note:\nThis is a Foreign Key to `\(key.table).id`.<fk table='\(key.table)' column='id'/>"
    }
    return table.key.contains(column.name) ? "Note:\nThis is a Primary Key.<pk/>" : nil
  }
}

extension ColumnType {
  /// The type of the column's values in JSON.
  fileprivate var jsonType: String {
    switch self {
    case .uuid, .text, .timestamp: "string"
    case .bool: "boolean"
    case .float8: "number"
    case .int4: "integer"
    }
  }

  /// The type's name as the standard of SQL spells it.
  fileprivate var longName: String {
    switch self {
    case .uuid, .text: name
    case .timestamp: "timestamp with time zone"
    case .bool: "boolean"
    case .float8: "double precision"
    case .int4: "integer"
    }
  }
}
