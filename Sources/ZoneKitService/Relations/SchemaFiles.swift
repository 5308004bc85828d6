import ZoneKitCatalogue
import ZoneKitRecords
import ZoneKitRelationServer
import ZoneKitSQL
import ZoneKitSchema
import ZoneKitStorage

/// The schema of a user's own tables, as files say it.
package struct SchemaFiles: Sendable {
  /// The files, in their order.
  package let texts: [SchemaText]
  /// What they say.
  package let catalogue: Catalogue
  /// The answers that stand for functions.
  package let answers: FunctionAnswers

  /// Reads those files, and of folders the files that end in `.sql`, in the order of their names. Answers that stand for
  /// functions are in another file; nil if there are none. Throws all problems.
  package init(_ paths: [String], answers path: String? = nil) throws(SchemaFilesError) {
    let answers = try path.map { (path) throws(SchemaFilesError) in try Self.answers(at: path) } ?? FunctionAnswers()
    var texts: [SchemaText] = []
    do throws(StoreError) {
      for path in paths { texts += try Self.texts(at: path) }
    } catch {
      throw .unreadable("\(error)")
    }
    self = try SchemaFiles(texts, answers: answers)
  }

  /// Reads texts. Throws all problems.
  package init(_ texts: [SchemaText], answers: FunctionAnswers = FunctionAnswers()) throws(SchemaFilesError) {
    try self.init(texts, answers, fixed: answers.ofExpressions)
  }

  /// Reads the texts of a former schema. Functions that are not carried out do not matter for its rows.
  init(former texts: [SchemaText]) throws(SchemaFilesError) {
    try self.init(texts, FunctionAnswers(), fixed: [FunctionAnswers.everyOther: CatalogueBuilder.FixedAnswer(nil)])
  }

  /// Reads the text of all files of a schema as a device keeps it. What functions do matters to the server alone.
  package init(text: [UInt8], name: String) throws(SchemaFilesError) {
    guard let text = String(validating: text, as: UTF8.self) else { throw .unreadable("\(name): the file is no UTF-8") }
    try self.init(former: [SchemaText(name: name, text)])
  }

  /// The text of all files, one after the other.
  package var text: [UInt8] {
    texts.count == 1 ? Array(texts[0].text.utf8) : Array(texts.map(\.text).joined(separator: "\n;\n").utf8)
  }

  private init(
    _ texts: [SchemaText], _ answers: FunctionAnswers, fixed: [String: CatalogueBuilder.FixedAnswer]
  ) throws(SchemaFilesError) {
    self.answers = answers
    var builder = CatalogueBuilder(answers: fixed)
    var problems: [SchemaProblem] = []
    for text in texts {
      problems += builder.add(SchemaReader.read(text, SQLTree.parse), of: text)
    }
    guard problems.isEmpty else { throw .problems(problems) }
    self.texts = texts
    catalogue = builder.catalogue
  }

  private static func answers(at path: String) throws(SchemaFilesError) -> FunctionAnswers {
    var bytes: [UInt8]?
    do throws(StoreError) {
      bytes = try Folder.readNamed(path)
    } catch {
      throw .unreadable("\(error)")
    }
    guard let bytes else { throw .unreadable("\(path): there is no such file") }
    do throws(FunctionAnswers.Problem) {
      return try FunctionAnswers(bytes.span, file: path)
    } catch {
      throw .unreadable("\(error)")
    }
  }

  /// The text of a file, or of a folder those of its files that end in `.sql`, in the order of their names.
  package static func texts(at path: String) throws(StoreError) -> [SchemaText] {
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
