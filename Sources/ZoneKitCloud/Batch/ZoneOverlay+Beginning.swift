import ZoneKitRecords

extension ZoneOverlay {
  /// A zone without changes. One that does not exist yet gets its first header.
  package init(
    of key: ZoneKey, at now: WallTime, reading reader: inout NotingReader,
    using generator: inout some RandomNumberGenerator
  ) throws(EvaluationFailure) {
    let before = try reader.zone(key)
    let header =
      if let before, !before.isDeleted { before } else {
        ZoneHeader(
          zoneName: key.zoneName, replacing: before, at: now.advanced(byMilliseconds: -1), using: &generator)
      }
    self.init(content: reader.content(of: key), header: header)
  }
}
