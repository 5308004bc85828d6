import ZoneKitDeviceHost
import ZoneKitDocuments
import ZoneKitRecords

extension DeviceApp.Interchange {
  /// The import and export of foreign files with records, as a mapping file says.
  static func mapped(intoRecords bytes: [UInt8]) throws(AppRefusal) -> DeviceApp.MappedFiles {
    let mapping = try MappingReader.mapping(bytes)
    var problems = problems(of: mapping.items, bytes) { _ in "records have no items; leave \"items\" out" }
    problems += self.problems(of: mapping.fields, bytes) { rule in
      if !RecordData.isIdentifier(rule.name) {
        return "\"\(rule.name)\" is no name of a field; expected a letter, then letters, digits and _"
      }
      return rule.name == RecordData.stamp.text
        ? "\(rule.name) is the time of the last edit, which the device sets" : nil
    }
    if !RecordData.isIdentifier(mapping.into) {
      problems.append(
        FileProblem(nil, "\"\(mapping.into)\" is no record type; expected a letter, then letters, digits and _"))
    }
    guard problems.isEmpty else { throw AppRefusal(problems) }
    let target = RecordTarget(mapping: mapping)
    return DeviceApp.MappedFiles(
      check: { (file) throws(AppRefusal) in _ = try EntryImport(file, mapping, into: target, in: .utc) },
      merge: { (file, view) in try EntryImport(file, mapping, into: target, in: view.timeZone).answer(in: view) },
      export: { view in try MappedExport(RecordData(), mapping).export(view) })
  }

  /// The import and export of foreign files with documents, as a mapping file says.
  static func mapped(_ bytes: [UInt8], into data: DocumentData) throws(AppRefusal) -> DeviceApp.MappedFiles {
    let mapping = try MappingReader.mapping(bytes)
    let type: Name
    do throws(AppRefusal) {
      type = try data.type(mapping.into, known: [], isNew: true)
    } catch {
      throw AppRefusal([FileProblem(nil, error.description)])
    }
    let collection = data.app.schema.collection(type) ?? DocumentCollection(type, [])
    var problems = problems(of: mapping.fields, bytes) { problem(of: $0, among: collection.members, "\(type)") }
    problems += missing(mapping.fields, collection.members.filter { $0.items == nil }, of: "\(type)")
    if !mapping.items.isEmpty {
      guard let items = collection.items?.items else { throw AppRefusal("documents of \(type) have no items") }
      problems += self.problems(of: mapping.items, bytes) { problem(of: $0, among: items.members, "an item") }
      problems += missing(mapping.items, items.members, of: "an item")
    }
    guard problems.isEmpty else { throw AppRefusal(problems) }
    return DeviceApp.MappedFiles(
      check: { (file) throws(AppRefusal) in
        _ = try DocumentRowImport(file, mapping, collection, of: data, in: .utc)
      },
      merge: { (file, view) in
        try DocumentRowImport(file, mapping, collection, of: data, in: view.timeZone).answer(in: view)
      }, export: { view in try MappedExport(data, mapping).export(view) })
  }

  private static func problem(
    of rule: ImportMapping.FieldRule, among members: [DocumentMember], _ owner: String
  ) -> String? {
    do throws(AppRefusal) {
      let member = try MemberWord.member(rule.name, among: members, of: owner)
      if member.items != nil { return "\(rule.name) are items; say in \"items\" what they have" }
    } catch {
      return error.description
    }
    return rule.type == nil
      ? nil : "\"type\" goes with records; the file of the documents says the type of \(rule.name)"
  }

  /// The problems that the mapping does not name members which have to be there.
  private static func missing(
    _ rules: [ImportMapping.FieldRule], _ members: [DocumentMember], of owner: String
  ) -> [FileProblem] {
    members.filter { member in !member.canLack && !rules.contains { $0.name == member.name.text } }.map { member in
      FileProblem(
        nil, "\(owner) needs \(member.name), and the mapping does not say it; it has to be \(member.expectation)")
    }
  }

  /// The problems of rules, each with its place in the mapping file.
  static func problems(
    of rules: [ImportMapping.FieldRule], _ bytes: [UInt8], _ problem: (ImportMapping.FieldRule) -> String?
  ) -> [FileProblem] {
    rules.compactMap { rule in
      problem(rule).map {
        FileProblem(TextPlace(bytes.span.offset(of: rule.path, isKey: true), in: bytes.span), $0)
      }
    }
  }
}
