import ZoneKitRecords

extension Connection {
  /// The origin that the file holds; nil if it holds none, as files of earlier versions.
  func storedOrigin() throws(StoreError) -> FileOrigin? {
    let found = try Statement("SELECT container, environment, user, scope FROM origin", on: self).first { row in
      FileOrigin(
        container: Name(row.text(0)), environment: row.text(1), user: row.optionalText(2).map { Name($0) },
        scope: row.optionalText(3))
    }
    return found ?? nil
  }

  /// Writes the origin of a file that holds none.
  func store(_ origin: FileOrigin) throws(StoreError) {
    try Statement("INSERT OR IGNORE INTO origin VALUES(1, ?1, ?2, ?3, ?4)", on: self).run(
      .text(origin.container.text), .text(origin.environment.rawValue), .text(origin.database?.user.text),
      .text(origin.database?.scope.rawValue))
  }

  /// Makes sure that the file belongs to its place. Throws if it holds another origin; a file that holds none gets this
  /// one, unless it is only read.
  func check(_ origin: FileOrigin, access: Access) throws(StoreError) {
    if let found = try storedOrigin() {
      guard found != origin else { return }
      throw StoreError(
        .corrupt, "the file belongs to \(found), and this is the place of \(origin): move it back", place: path)
    }
    guard access != .observe else { return }
    try store(origin)
  }
}
