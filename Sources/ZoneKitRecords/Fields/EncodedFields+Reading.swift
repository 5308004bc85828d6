extension EncodedFields {
  /// Decodes the fields. Throws if `init(_:)` did not write the text, for example because the file was edited by hand.
  public func decoded() throws(StoreError) -> Fields {
    var reader = FieldTextReader()
    if let fields = reader.fields(in: utf8.span) { return fields }
    guard let json = try? JSON(parsing: utf8), let members = json.object else { throw damaged("is not a JSON object") }
    var fields = Fields()
    for member in members {
      guard let type = member.value["type"]?.string.flatMap(FieldType.init(rawValue:)),
        let json = member.value["value"], let value = FieldValue(json, as: type)
      else { throw damaged("has no readable value for \(member.key)") }
      let isEncrypted = member.value["isEncrypted"]?.bool ?? false
      fields.set(Field(name: Name(member.key), value: value, isEncrypted: isEncrypted))
    }
    return fields
  }

  private func damaged(_ what: String) -> StoreError {
    StoreError(
      .corrupt, "\(what); it starts with \(String(decoding: utf8.prefix(80), as: UTF8.self))", place: "field text")
  }
}
