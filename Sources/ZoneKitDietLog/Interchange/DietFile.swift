import ZoneKitDeviceHost
import ZoneKitDocuments
import ZoneKitRecords

/// A parsed file of documents, and remarks on documents that could not be read.
struct DietFile {
  /// A document and its place in the file.
  struct Entry {
    /// The place as a JSON pointer (RFC 6901).
    var place: String
    /// The document.
    var document: DietDocument
  }

  /// The version of the format.
  static let version: Int64 = 1
  /// The app that a file names.
  static let app = "DietLog"

  /// The documents that can be read, in the order of the collections and of the file.
  private(set) var entries: [Entry] = []
  /// The documents that cannot be read, with their places.
  private(set) var refused: [RowNote] = []

  /// Parses a file. If its outer structure cannot be read, the whole file is refused.
  init(parsing bytes: [UInt8]) throws(AppRefusal) {
    let json = try AppFile.json(parsing: bytes, app: Self.app, version: Self.version)
    guard let lists = json["documents"]?.object else {
      throw AppRefusal("/documents: expected an object of collections")
    }
    for list in lists {
      let place = "/documents/\(list.key)"
      guard let collection = DietLog.written.first(where: { $0.name.text == list.key }) else {
        let names = DietLog.written.map(\.name.text).joined(separator: ", ")
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
      let fields = try DocumentReader(collection, of: DietLog.schema).fields(
        after: change, before: nil, of: Name(json["userId"]?.string ?? ""))
      entries.append(Entry(place: place, document: DietDocument(name, fields)))
    } catch {
      refused.append(RowNote(place, error.message))
    }
  }
}
