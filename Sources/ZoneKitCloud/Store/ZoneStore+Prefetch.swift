import ZoneKitRecords

extension ZoneStore {
  /// Reads the needs one after the other, each with one method of the protocol. It stops where a request would read too
  /// much: pages of feeds after the first that are too large together are postponed, and the rest of too many records
  /// is not read.
  package mutating func prefetch(_ needs: [Need], into set: inout WorkingSet) {
    var pages = 0
    for need in needs {
      switch need {
      case .database(let id): set.put(Result { () throws(StoreError) in try database(id) }, of: id)
      case .zones(of: let id): set.put(Result { () throws(StoreError) in try zoneList(of: id) }, zonesOf: id)
      case .feed(let query, in: let key):
        set.fill(key) { (content) throws(StoreError) in
          let page = pages < query.byteLimit ? try feed(query, in: key) : FeedPage(postponed: query)
          pages += page.page.size
          content.put(page, for: query)
        }
      case .zone(let key), .records(_, in: let key), .references(_, in: let key),
        .dependents(_, by: _, in: let key), .schema(_, in: let key), .assets(_, in: let key),
        .sequence(_, in: let key), .matches(_, in: let key):
        set.fill(key) { (content) throws(StoreError) in try fill(&content, with: need, of: key) }
      }
    }
  }

  private func zoneList(of database: DatabaseID) throws(StoreError) -> ZoneList {
    ZoneList(headers: try zones(in: database), unreadable: try unreadableZones(in: database))
  }

  private func fill(_ content: inout ZoneContent, with need: Need, of zone: ZoneKey) throws(StoreError) {
    switch need {
    case .database, .zones, .feed: break
    case .zone: content.put(try self.zone(zone), in: run)
    case .records(let names, in: _):
      for name in names where content.hasRoom { content.put(try record(name, in: zone), named: name) }
    case .dependents(let names, by: let dependence, in: _):
      try fill(&content, withDependentsOf: names, by: dependence, in: zone)
    case .references(let names, in: _): for name in names { content.put(try references(to: name, in: zone), to: name) }
    case .matches(let query, in: _): content.put(try matches(query, in: zone), for: query)
    case .sequence(let time, in: _): content.put(try sequence(through: time, in: zone), through: time)
    case .assets(let checksums, in: _):
      for checksum in checksums { content.put(try assetSize(checksum, in: zone.database), ofAsset: checksum) }
    case .schema(let types, in: _): for type in types { content.put(try schema(of: type, in: zone), of: type) }
    }
  }

  /// Reads records with all that depend on them. Each record is read once.
  private func fill(
    _ content: inout ZoneContent, withDependentsOf names: [Name], by dependence: Dependence, in zone: ZoneKey
  ) throws(StoreError) {
    var waiting = names
    while content.hasRoom, let name = waiting.popLast() {
      guard content.begin(dependentsOf: name, by: dependence) else { continue }
      if !content.hasRead(name) { content.put(try record(name, in: zone), named: name) }
      let references = try references(to: name, in: zone)
      content.put(references, to: name)
      for reference in references where dependence.mayBind(reference) && content.hasRoom {
        let source = reference.source
        let read = content.hasRead(source) ? nil : try record(source, in: zone)
        if let read { content.put(read, named: source) }
        if let type = read?.recordType ?? content.recordType(of: source), dependence.binds(reference, ofType: type) {
          waiting.append(source)
        }
      }
    }
  }
}
