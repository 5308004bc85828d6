import ZoneKitDocuments
import ZoneKitRecords
import ZoneKitRelationServer
import ZoneKitSchema
import ZoneKitService

/// What declarations say: the tables and the documents of an app.
struct DeclaredData: Sendable {
  /// The tables.
  let tables: OwnTables
  /// The documents; nil for none.
  let documents: DocumentApp?

  /// Reads a schema in SQL, the answers that stand for its functions, and a description of documents. Throws all problems of
  /// the first of them that has any.
  init(tables: Declaration, functions: Declaration?, documents: Declaration?) throws(ServerFailure) {
    let texts = try tables.texts(named: "schema.sql")
    let answers = try functions.map { (functions) throws(ServerFailure) in
      let text = try functions.text(named: "functions.json")
      return try Self.reading("functions") { () throws(FunctionAnswers.Problem) in
        try FunctionAnswers(Array(text.text.utf8).span, file: text.name)
      }
    }
    let files = try Self.reading("tables") { () throws(SchemaFilesError) in
      try SchemaFiles(texts, answers: answers ?? FunctionAnswers())
    }
    self.tables = try Self.reading("tables") { () throws(ServiceError) in try OwnTables(files) }
    self.documents = try documents.map { (documents) throws(ServerFailure) in
      let text = try documents.text(named: "documents.json")
      return try Self.reading("documents") { () throws(DocumentSchemaProblems) in
        try DocumentSchemaReader.app(Array(text.text.utf8), file: text.name)
      }
    }
  }

  private static func reading<Result, Problem: Error>(
    _ what: String, _ body: () throws(Problem) -> Result
  ) throws(ServerFailure) -> Result {
    do throws(Problem) {
      return try body()
    } catch {
      throw ServerFailure("the \(what) cannot be served\n\(error)")
    }
  }
}

extension Declaration {
  /// The texts with their names. A text without a file gets that name.
  fileprivate func texts(named name: String) throws(ServerFailure) -> [SchemaText] {
    switch self {
    case .text(let text): return [SchemaText(name: name, text)]
    case .files(let paths):
      var texts: [SchemaText] = []
      do throws(StoreError) {
        for path in paths { texts += try SchemaFiles.texts(at: path) }
      } catch {
        throw ServerFailure("\(error)")
      }
      return texts
    }
  }

  /// The only text with its name.
  fileprivate func text(named name: String) throws(ServerFailure) -> SchemaText {
    let texts = try texts(named: name)
    guard texts.count == 1, let text = texts.first else {
      throw ServerFailure("\(name): expected one file, found \(texts.count)")
    }
    return text
  }
}
