import ZoneKitRecords

/// Converts documents of one collection from the fields of records to JSON.
package struct DocumentWriter: Sendable {
  private let form: DocumentForm

  /// A writer of that collection.
  package init(_ collection: DocumentCollection, of schema: DocumentSchema) {
    form = schema.form(of: collection)
  }

  /// Appends the document as clients get it: what the server knows of it, every member of the schema (null if it is absent),
  /// sums, and the members that the schema does not name. Returns false and appends nothing if the content is that of no
  /// document.
  @discardableResult
  package func append(_ document: Document, to output: inout [UInt8]) -> Bool {
    guard let written = document.written ?? written(document.content) else { return false }
    output.append(literal: "{\"_id\":")
    output.appendJSONString(document.name.id)
    output.append(literal: ",\"userId\":")
    output.appendJSONString(document.user.text)
    output.append(literal: ",\"version\":")
    output.appendDecimal(document.version)
    output.append(literal: ",\"tag\":\"")
    document.tag.append(to: &output)
    output.append(UInt8(ascii: "\""))
    if let stamp = written.editedAt {
      output.append(literal: ",\"updatedAt\":")
      output.append(time: stamp)
      output.append(literal: ",\"deletedAt\":")
      if written.isDeleted { output.append(time: stamp) } else { output.append(literal: "null") }
    }
    output.append(literal: ",\"deviceId\":")
    output.appendJSONString(document.deviceID)
    output.append(literal: ",\"committedAt\":")
    output.append(time: document.committedAt)
    output.append(contentsOf: written.members)
    output.append(UInt8(ascii: "}"))
    return true
  }

  /// The content of a document as clients get it; nil if it is that of no document of the collection.
  package func written(_ content: EncodedFields) -> WrittenDocument? {
    guard let (text, members) = members(of: content, isComplete: true) else { return nil }
    return WrittenDocument(editedAt: text.editedAt, isDeleted: text.isDeleted, members: members)
  }

  /// The document as a client sends it; nil if the fields are those of no document.
  package func data(of fields: Fields) -> DocumentData? {
    guard let (_, members) = members(of: EncodedFields(fields), isComplete: false) else { return nil }
    // The first member has a comma before it too.
    let text = [UInt8(ascii: "{")] + members.dropFirst() + [UInt8(ascii: "}")]
    return (try? JSON(exactly: text)).map { DocumentData($0) }
  }

  /// Whether the content is that of a document of the collection.
  package func isDocument(_ content: EncodedFields) -> Bool { written(content) != nil }

  /// The members as clients get them, or, if they are not to be complete, as clients send them, with a comma before each. Nil
  /// if the content is that of no document.
  private func members(of content: EncodedFields, isComplete: Bool) -> (text: DocumentText, members: [UInt8])? {
    var members: [UInt8] = []
    members.reserveCapacity(content.utf8.count)
    guard let text = DocumentText(content, form), text.append(form, isComplete: isComplete, to: &members) else {
      return nil
    }
    return (text, members)
  }
}
