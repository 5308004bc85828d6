import ZoneKitCloudProcess
import ZoneKitExpressions
import ZoneKitRecords
import ZoneKitRelationServer
import ZoneKitSchema
import ZoneKitStorage
import ZoneKitTables

/// The tables of a user's own schema in the files of a cloud.
package struct OwnTables: Sendable {
  /// The files of the schema.
  package let files: SchemaFiles
  private let schema: PreparedSchema

  /// The tables of those files. Throws what they cannot be.
  package init(_ files: SchemaFiles) throws(ServiceError) {
    self.files = files
    do throws(ExpressionProblem) {
      schema = try PreparedSchema(files.catalogue, answers: files.answers)
    } catch {
      throw ServiceError("\(error)")
    }
  }

  /// The schema for a simulated cloud.
  package var served: any ServedSchema { schema }

  /// Opens the rows of an app in the cloud's folder. Makes the tables there, or changes those of another version of the
  /// schema. Throws why that cannot be; then nothing has changed.
  func open(root: String, app: TableApp, at now: WallTime) throws(ServiceError) -> CloudRelations {
    do throws(StoreError) {
      let store = try RelationFiles(root: root, app: app)
      try adopt(on: store, at: now)
      return CloudRelations(schema, store: store)
    } catch {
      throw ServiceError(error)
    }
  }

  /// Makes the tables with their first rows in an empty store. Throws why those rows cannot be made.
  func make(
    in store: some RelationStore, at now: WallTime, using generator: inout some RandomNumberGenerator
  ) throws(ServiceError) -> CloudRelations {
    do throws(SchemaRefusal) {
      return try CloudRelations(schema, making: store, at: now, using: &generator)
    } catch {
      throw ServiceError("\(error)")
    }
  }

  private func adopt(on store: RelationFiles, at now: WallTime) throws(StoreError) {
    let known = try store.texts()
    guard known?.map(\.text) != files.texts.map(\.text) else { return try store.define(schema.layouts) }
    var old: SchemaFiles?
    if let known {
      do throws(SchemaFilesError) {
        old = try SchemaFiles(former: known)
      } catch {
        throw refusal("its former schema cannot be read: \(error)", store)
      }
    }
    let context = EvaluationContext(now: now.milliseconds * 1_000, role: "service_role") {
      var generator = SystemGenerator()
      return UUID(using: &generator)
    }
    if let old {
      let problems = try SchemaAdoption.problems(from: old.catalogue, to: files.catalogue) {
        (table) throws(StoreError) in
        try store.hasRows(table)
      }
      guard problems.isEmpty else {
        throw refusal(
          "the schema has changed: \(problems.joined(separator: "; "))", store)
      }
    }
    var changed = store
    do throws(SchemaRefusal) {
      try SchemaAdoption(schema, from: old?.catalogue, context).carryOut(on: &changed)
    } catch {
      store.discard()
      if case .store(let error) = error { throw error }
      throw refusal("\(error)", store)
    }
    try store.set(files.texts)
    if let error = store.commit() { throw error }
  }

  private func refusal(_ message: String, _ store: RelationFiles) -> StoreError {
    StoreError(
      .failed,
      message
        + ". Serve the former schema, change it by additions, or begin with another data folder or after zonekit reset "
        + "cloud",
      place: store.path)
  }
}
