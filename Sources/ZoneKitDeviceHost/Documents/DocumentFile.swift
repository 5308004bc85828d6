import ZoneKitDocuments
import ZoneKitRecords
import ZoneKitSync

/// A parsed file of documents, and remarks on documents that could not be read.
package struct DocumentFile {
  /// A document and its place in the file.
  package struct Entry {
    /// The place as a JSON pointer (RFC 6901).
    package var place: String
    /// The name of the document.
    package var name: DocumentName
    /// Its fields.
    package var fields: Fields
  }

  /// The version of the format.
  static let version: Int64 = 1

  private let app: DocumentApp
  /// The documents that can be read, in the order of the collections and of the file.
  package private(set) var entries: [Entry] = []
  /// The documents that cannot be read, with their places.
  package private(set) var refused: [RowNote] = []

  /// Parses a file of that app's documents, in which the app has that name. If its outer structure cannot be read, the whole
  /// file is refused.
  package init(parsing bytes: [UInt8], of app: DocumentApp, named name: String) throws(AppRefusal) {
    self.app = app
    let json = try AppFile.json(parsing: bytes, app: name, version: Self.version)
    guard let lists = json["documents"]?.object else {
      throw AppRefusal("/documents: expected an object of collections")
    }
    let written = app.schema.collections.filter { !$0.isDerived }
    for list in lists {
      let place = "/documents/\(list.key)"
      guard let collection = written.first(where: { $0.name.text == list.key }) else {
        let names = written.map(\.name.text).joined(separator: ", ")
        throw AppRefusal("\(place): there is no such collection; expected \(names)")
      }
      guard let documents = list.value.array else {
        throw AppRefusal("\(place): expected a list of documents, found \(list.value.kind)")
      }
      for (index, document) in documents.enumerated() { read(document, of: collection, at: "\(place)/\(index)") }
    }
  }

  /// Reads one document. A document that cannot be read is refused alone.
  private mutating func read(_ json: JSON, of collection: DocumentCollection, at place: String) {
    guard let id = json["_id"]?.string, DocumentID.isValid(id) else {
      return refused.append(RowNote("\(place)/_id", "expected 1 to 64 of the characters A-Z, a-z, 0-9, - and _"))
    }
    guard let stamp = json["updatedAt"]?.string.flatMap(WallTime.init(documentTime:)) else {
      return refused.append(RowNote("\(place)/updatedAt", "expected a time such as 2026-11-21T06:06:01.308Z"))
    }
    let name = DocumentName(collection.name, id)
    let isDeleted = json["deletedAt"].map { !$0.isNull } ?? false
    let change = DocumentChange(isDeleted ? .delete : .create, name, at: stamp, data: DocumentData(json))
    do throws(ChangeError) {
      // The members of an account are no matter of a file.
      let fields = try DocumentReader(collection, of: app.schema).fields(
        after: change, before: nil, of: Name(json["userId"]?.string ?? ""))
      entries.append(Entry(place: place, name: name, fields: fields))
    } catch {
      refused.append(RowNote(place, error.message))
    }
  }
}

extension DocumentApp {
  /// The zone that holds an account's documents.
  package var zoneID: ZoneID { ZoneID(zoneName: zone) }

  /// The document of a record of the app's zone, with the fields of the user's version; nil for any other record, and for
  /// one that the user erased or whose fields are not those of a document.
  package func document(_ record: LocalRecord) -> (name: DocumentName, fields: Fields)? {
    guard record.recordID.zoneID.zoneName == zone,
      let name = DocumentName(recordName: record.recordID.recordName, in: .documents),
      record.recordType == name.collection, let collection = schema.collection(name.collection),
      let local = record.local, let fields = try? local.fields.decoded(),
      collection.isDerived || DocumentWriter(collection, of: schema).isDocument(local.fields)
    else { return nil }
    return (name, fields)
  }

  /// A document with its ID and stamp, as files and answers have it.
  package func json(of name: DocumentName, _ fields: Fields) -> JSON {
    let data = schema.collection(name.collection).flatMap {
      DocumentWriter($0, of: schema).data(of: fields)?.json.object
    }
    let stamp = JSON.string(fields.editedAt.iso8601)
    return .object(
      [JSON.Member("_id", .string(name.id)), JSON.Member("updatedAt", stamp)]
        + (fields.isDeleted ? [JSON.Member("deletedAt", stamp)] : []) + (data ?? []))
  }
}
