import ZoneKitCatalogue
import ZoneKitRecords
import ZoneKitSQL
import ZoneKitSchema
import ZoneKitStorage

/// The schema of a user's own tables, as files say it.
package struct SchemaFiles: Sendable {
  /// The files, in their order.
  package let texts: [SchemaText]
  /// What they say.
  package let catalogue: Catalogue

  /// Reads those files, and of folders the files that end in `.sql`, in the order of their names. Throws all problems.
  package init(_ paths: [String]) throws(SchemaFilesError) {
    var texts: [SchemaText] = []
    do throws(StoreError) {
      for path in paths { texts += try Self.texts(at: path) }
    } catch {
      throw .unreadable("\(error)")
    }
    self = try SchemaFiles(texts)
  }

  /// Reads texts. Throws all problems.
  init(_ texts: [SchemaText]) throws(SchemaFilesError) {
    var builder = CatalogueBuilder()
    var problems: [SchemaProblem] = []
    for text in texts {
      do throws(SQLError) {
        let reading = SchemaReader.read(try SQLTree.parse(text.text), of: text)
        problems += reading.problems + builder.add(reading.statements, of: text)
      } catch {
        problems.append(SchemaProblem(file: text.name, at: error.place, error.message))
      }
    }
    guard problems.isEmpty else { throw .problems(problems) }
    self.texts = texts
    catalogue = builder.catalogue
  }

  private static func texts(at path: String) throws(StoreError) -> [SchemaText] {
    guard Folder.kind(of: path) == .folder else { return [try text(at: path)] }
    let names = try Folder.names(in: path).filter { $0.hasSuffix(".sql") }.sorted()
    guard !names.isEmpty else { throw StoreError(.failed, "the folder has no file that ends in .sql", place: path) }
    var texts: [SchemaText] = []
    for name in names { texts.append(try text(at: path + "/" + name)) }
    return texts
  }

  private static func text(at path: String) throws(StoreError) -> SchemaText {
    guard let bytes = try Folder.readNamed(path) else {
      throw StoreError(.failed, "there is no such file", place: path)
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw StoreError(.failed, "the file is no UTF-8", place: path)
    }
    return SchemaText(name: path, text)
  }
}

/// Why files are no schema.
package enum SchemaFilesError: Error, Equatable, Sendable, CustomStringConvertible {
  /// A file cannot be read.
  case unreadable(String)
  /// The problems of all files, in their order; at least one.
  case problems([SchemaProblem])

  /// The problems, a line each.
  package var description: String {
    switch self {
    case .unreadable(let message): message
    case .problems(let problems): problems.map(\.description).joined(separator: "\n")
    }
  }
}
