import ZoneKitExpressions
import ZoneKitRelations
import ZoneKitSchema

/// Views.
extension CatalogueBuilder {
  mutating func create(_ new: CreateView, at offset: SourceOffset) {
    let name = Catalogue.full(new.name)
    let known = catalogue.tables[name]
    if relationNames.contains(name) {
      guard new.replaces else { return refuse("relation \"\(name.name)\" already exists", at: new.name.offset) }
      guard known?.view != nil else { return refuse("\"\(name.name)\" is not a view", at: new.name.offset) }
    }
    guard name.schema == ObjectName.usualSchema else {
      return refuse("views are made in the schema public: write public.\(name.name)", at: new.name.offset)
    }
    var typed: TypedQuery?
    let scope = ExpressionScope(catalogue.names)
    check { () throws(ExpressionProblem) in typed = try scope.resolved(new.query) }
    guard var typed, isAccepted else {
      refusedTables.insert(name)
      return
    }
    guard new.columns.count <= typed.names.count else {
      return refuse("the view has more column names than columns", at: new.name.offset)
    }
    guard !typed.isTooLarge else {
      return refuse("the view and those that it reads have too many parts: write shorter ones", at: new.name.offset)
    }
    typed.names = new.columns + typed.names.dropFirst(new.columns.count)
    if let double = typed.names.first(where: { name in typed.names.count { $0 == name } > 1 }) {
      return refuse("column \"\(double)\" specified more than once", at: new.name.offset)
    }
    var view = CatalogueTable(name, zip(typed.names, typed.results).map { CatalogueColumn($0, $1.type) })
    // Columns that its tables get later are not its own.
    view.view = CatalogueView(query: new.query.withoutStars(typed), isInvoker: new.isInvoker)
    guard let known else {
      relationNames.insert(name)
      keep(view)
      return applyDefaultPrivileges(to: name)
    }
    for (place, old) in known.columns.enumerated() {
      guard view.columns.indices.contains(place) else {
        return refuse("cannot drop columns from view", at: new.name.offset)
      }
      let column = view.columns[place]
      guard column.name == old.name else {
        let message = "cannot change name of view column \"\(old.name)\" to \"\(column.name)\""
        return refuse(message, at: new.name.offset)
      }
      guard column.type == old.type else {
        let types = "from \(old.type.fullName) to \(column.type.fullName)"
        return refuse("cannot change data type of view column \"\(old.name)\" \(types)", at: new.name.offset)
      }
    }
    (view.privileges, view.comment) = (known.privileges, known.comment)
    keep(view)
  }

  /// Changes of a view, of which only those of its owner and of whose rows it reads can be made.
  mutating func alter(_ view: CatalogueTable, _ change: AlterTable, at offset: SourceOffset) {
    var view = view
    for action in change.actions {
      switch action {
      case .changeOwner: break
      case .securityInvoker(let isOn): view.view?.isInvoker = isOn
      default:
        return refuse(
          "this change of the view \(view.name) is not supported: write the view as it is to be", at: offset)
      }
    }
    keep(view)
  }

  mutating func dropView(_ name: SQLName, _ drop: DropStatement) {
    guard let view = catalogue.table(name) else {
      if !drop.ifExists { refuse("view \"\(name.plain)\" does not exist", at: name.offset) }
      return
    }
    guard view.view != nil else { return refuse("\"\(view.name.name)\" is not a view", at: name.offset) }
    catalogue.tables[view.name] = nil
    relationNames.remove(view.name)
    dropViews(of: "view \(view.name)", isCascading: drop.isCascading, at: name.offset)
  }

  /// Removes the views whose queries read something that is gone. A problem, if there are some and they are to stay.
  mutating func dropViews(of object: String, isCascading: Bool, at offset: SourceOffset) {
    while let view = brokenView {
      guard isCascading else { return refuse(Self.depends(object, "view \(view.name)"), at: offset) }
      catalogue.tables[view.name] = nil
      relationNames.remove(view.name)
    }
  }

  /// The first view whose query cannot be read any longer.
  var brokenView: CatalogueTable? {
    catalogue.tables.values.filter { $0.view != nil }.sorted { $0.name < $1.name }.first { view in
      guard let query = (try? catalogue.query(ofView: view.name)) ?? nil else { return true }
      return query.results.count != view.columns.count
    }
  }
}

extension SQLQuery {
  /// The query with a name for each result, and with columns in place of all columns, as they are now.
  fileprivate func withoutStars(_ typed: TypedQuery) -> SQLQuery {
    var query = self
    let isTold = !typed.sources.contains { $0.alias.isEmpty } || !results.contains(.allColumns)
    var names = typed.names[...]
    var written: [Result] = []
    for result in results {
      switch result {
      case .value(let value, _): written.append(.value(value, name: names.popFirst()))
      case .allColumns, .columns:
        for source in typed.sources {
          if case .columns(let alias) = result, source.alias != alias { continue }
          for column in source.shape.columns {
            if result == .allColumns, source.merged.contains(column.name) { continue }
            let value = SQLExpression(.column(SQLColumn(table: source.alias, column.name)), at: offset)
            written.append(.value(value, name: names.popFirst()))
          }
        }
      }
    }
    if isTold { query.results = written }
    return query
  }
}
