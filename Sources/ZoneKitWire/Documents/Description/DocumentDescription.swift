import ZoneKitDocuments
import ZoneKitRecords

/// The description of the service of documents in OpenAPI 3.1, made from the app's schema.
package struct DocumentDescription: Sendable {
  private let app: DocumentApp

  /// The description for that app.
  package init(of app: DocumentApp) { self.app = app }

  /// The description.
  package var json: JSON {
    let schemas = DescribedSchemas(app.schema)
    return [
      "openapi": "3.1.0",
      "info": ["title": .string("ZoneKit documents: \(app.name)"), "version": .string("\(app.schema.version)")],
      "servers": [["url": "/"]], "security": [["bearer": []]],
      "paths": [
        DocumentCall.Path.push.text: call("post", "push", push, body: pushBody, isBodyNeeded: true, schemas.pushAnswer),
        DocumentCall.Path.pull.text: call("get", "pull", pull, schemas.pullAnswer, pullParameters),
        DocumentCall.Path.full.text: call("post", "full", full, body: fullBody, schemas.fullAnswer),
        DocumentCall.Path.status.text: call("get", "status", status, schemas.statusAnswer, statusParameters),
      ],
      "components": [
        "securitySchemes": ["bearer": ["type": "http", "scheme": "bearer"]],
        "parameters": parameters, "responses": ["Fail": answer("nothing was done", .reference("Error"))],
        "schemas": schemas.all,
      ],
    ]
  }

  private let push = "Apply changes, and return the result of each."
  private let pull = "Return the changes behind a cursor."
  private let full = "Return all documents, in pages if they are many, or those that are named."
  private let status = "Return which feeds changed."

  // MARK: Calls

  private func call(
    _ method: String, _ id: String, _ summary: String, body: JSON? = nil, isBodyNeeded: Bool = false, _ result: JSON,
    _ parameters: JSON = []
  ) -> JSON {
    var members: [JSON.Member] = [JSON.Member("operationId", .string(id)), JSON.Member("summary", .string(summary))]
    if parameters != [] { members.append(JSON.Member("parameters", parameters)) }
    if let body {
      let content: JSON = ["application/json": ["schema": body]]
      members.append(
        JSON.Member("requestBody", isBodyNeeded ? ["required": true, "content": content] : ["content": content]))
    }
    let fail: JSON = ["$ref": "#/components/responses/Fail"]
    members.append(JSON.Member("responses", ["200": answer("the result", result), "4XX": fail, "5XX": fail]))
    let common: JSON = [["$ref": "#/components/parameters/device"], ["$ref": "#/components/parameters/schema"]]
    return .object([JSON.Member("parameters", common), JSON.Member(method, .object(members))])
  }

  private func answer(_ description: String, _ schema: JSON) -> JSON {
    ["description": .string(description), "content": ["application/json": ["schema": schema]]]
  }

  // MARK: Parameters

  private var parameters: JSON {
    let version = JSON.integer(Int64(app.schema.version))
    return [
      "device": query("device", .reference("Id")),
      "schema": query("schema", ["type": "integer", "minimum": version, "maximum": version]),
    ]
  }

  private var pullParameters: JSON {
    let collections: JSON = [
      "name": "collections", "in": "query", "style": "form", "explode": false, "schema": .reference("Collections"),
    ]
    let acknowledged: JSON = [
      "name": "acknowledged", "in": "query", "style": "form", "explode": false,
      "schema": ["type": "array", "items": .reference("Tag")],
    ]
    return [
      query("cursor", .reference("Cursor")), query("since", .reference("AnyTime")), query("feed", .reference("Feed")),
      query("limit", .reference("Limit")), collections, acknowledged,
    ]
  }

  private var statusParameters: JSON { [query("since", .reference("Token"))] }

  private func query(_ name: String, _ schema: JSON) -> JSON {
    ["name": .string(name), "in": "query", "schema": schema]
  }

  // MARK: Bodies

  private var pushBody: JSON {
    [
      "type": "object", "required": ["deviceId", "changes"],
      "properties": [
        "deviceId": .reference("Id"), "lastPulledAt": .nullable(.reference("AnyTime")),
        "onConflict": ["enum": .texts(DocumentPush.Decider.allCases.map(\.rawValue))],
        "changes": [
          "type": "array", "maxItems": .integer(Int64(DocumentRequest.itemLimit)), "items": .reference("Change"),
        ],
      ],
    ]
  }

  private var fullBody: JSON {
    [
      "type": "object",
      "properties": [
        "feed": .reference("Feed"), "limit": .reference("Limit"), "page": .reference("Page"),
        "deleted": ["type": "boolean"], "collections": .reference("Collections"),
        "documents": [
          "type": "array", "maxItems": .integer(Int64(DocumentRequest.itemLimit)), "items": .reference("Name"),
        ],
      ],
    ]
  }
}

extension JSON {
  /// A reference to one of the schemas.
  static func reference(_ name: String) -> JSON { ["$ref": .string("#/components/schemas/\(name)")] }

  /// The schema that also accepts null.
  static func nullable(_ schema: JSON) -> JSON { ["anyOf": [schema, ["type": "null"]]] }

  /// An array of texts.
  static func texts(_ texts: [String]) -> JSON { .array(texts.map { .string($0) }) }

  /// The schema of an object with those members, all of which are there, and perhaps others.
  static func object(of members: [(key: String, schema: JSON)], optional: [(key: String, schema: JSON)] = []) -> JSON {
    [
      "type": "object", "required": .texts(members.map(\.key)),
      "properties": .object((members + optional).map { JSON.Member($0.key, $0.schema) }),
    ]
  }

  /// The schema of an array of those elements.
  static func array(of schema: JSON) -> JSON { ["type": "array", "items": schema] }
}
