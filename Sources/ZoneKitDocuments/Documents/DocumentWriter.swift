import ZoneKitRecords

/// Converts documents of one collection from the fields of records to JSON.
package struct DocumentWriter: Sendable {
  private let form: DocumentForm
  private let items: ItemForm

  /// A writer of that collection.
  package init(_ collection: DocumentCollection, of schema: DocumentSchema) {
    form = schema.form(of: collection)
    items = schema.itemForm
  }

  /// Appends the document as clients get it: what the server knows of it, every member of the schema (null if it is absent),
  /// sums, and the members that the schema does not name. Returns false and appends nothing if the content is that of no
  /// document.
  @discardableResult
  package func append(_ document: Document, to output: inout [UInt8]) -> Bool {
    guard let text = DocumentText(document.content, form) else { return false }
    let first = output.count
    output.append(literal: "{\"_id\":")
    output.appendJSONString(document.name.id)
    output.append(literal: ",\"userId\":")
    output.appendJSONString(document.user.text)
    output.append(literal: ",\"version\":")
    output.appendDecimal(document.version)
    output.append(literal: ",\"tag\":\"")
    document.tag.append(to: &output)
    output.append(UInt8(ascii: "\""))
    if let stamp = text.editedAt {
      output.append(literal: ",\"updatedAt\":")
      output.append(time: stamp)
      output.append(literal: ",\"deletedAt\":")
      if text.isDeleted { output.append(time: stamp) } else { output.append(literal: "null") }
    }
    output.append(literal: ",\"deviceId\":")
    output.appendJSONString(document.deviceID)
    output.append(literal: ",\"committedAt\":")
    output.append(time: document.committedAt)
    guard text.append(form, items, isComplete: true, to: &output) else {
      output.removeSubrange(first...)
      return false
    }
    output.append(UInt8(ascii: "}"))
    return true
  }

  /// The document as a client sends it; nil if the fields are those of no document.
  package func data(of fields: Fields) -> DocumentData? {
    guard let (_, members) = read(EncodedFields(fields)) else { return nil }
    // The first member has a comma before it too.
    let text = [UInt8(ascii: "{")] + members.dropFirst() + [UInt8(ascii: "}")]
    return (try? JSON(parsing: text)).map { DocumentData($0) }
  }

  /// Whether the content is that of a document of the collection.
  package func isDocument(_ content: EncodedFields) -> Bool { read(content) != nil }

  /// Whether the document with that content is deleted; nil if the content is that of no document of the collection.
  package func isDeleted(_ content: EncodedFields) -> Bool? { read(content)?.isDeleted }

  /// The members as a client sends them, with a comma before each; nil if the content is that of no document.
  private func read(_ content: EncodedFields) -> (isDeleted: Bool, members: [UInt8])? {
    var members: [UInt8] = []
    members.reserveCapacity(content.utf8.count)
    guard let text = DocumentText(content, form), text.append(form, items, isComplete: false, to: &members) else {
      return nil
    }
    return (text.isDeleted, members)
  }
}
