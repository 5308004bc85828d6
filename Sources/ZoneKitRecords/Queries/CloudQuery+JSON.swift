/// The form in which files and continuation markers have a query. Equal queries have equal texts.
extension CloudQuery {
  /// The query as JSON text.
  package var text: [UInt8] {
    var text: [UInt8] = []
    text.append(literal: "{\"recordType\":")
    text.appendJSONString(recordType.text)
    text.append(literal: ",\"filters\":[")
    for (index, filter) in filters.enumerated() {
      text.append(literal: index > 0 ? ",{" : "{")
      if let key = filter.key { text.append(key) }
      text.append(literal: "\"comparator\":\"\(filter.comparator.rawValue)\"")
      if let distance = filter.distance {
        text.append(literal: ",\"distance\":")
        text.appendJSONNumber(distance)
      }
      text.append(literal: filter.isTyped ? ",\"typed\":true,\"field\":" : ",\"typed\":false,\"field\":")
      text.append(Field(name: "", value: filter.value))
      text.append(UInt8(ascii: "}"))
    }
    text.append(literal: "],\"sort\":[")
    for (index, sort) in sort.enumerated() {
      text.append(literal: index > 0 ? ",{" : "{")
      text.append(sort.key)
      text.append(literal: "\"ascending\":\(sort.isAscending)")
      if let location = sort.relativeLocation {
        text.append(literal: ",\"relativeLocation\":")
        text.append(FieldValue.location(location))
      }
      text.append(UInt8(ascii: "}"))
    }
    text.append(literal: "]}")
    return text
  }

  /// Reads a text that `text` made; nil for any other.
  package init?(_ json: JSON) {
    guard let type = json["recordType"]?.string, let filters = json["filters"]?.array, let sort = json["sort"]?.array
    else { return nil }
    self.init(Name(type))
    for json in filters {
      guard let filter = Filter(json) else { return nil }
      self.filters.append(filter)
    }
    for json in sort {
      guard let key = Key(json), let isAscending = json["ascending"]?.bool else { return nil }
      var location: Location?
      if let json = json["relativeLocation"] {
        guard case .location(let read) = FieldValue(json, as: .location) else { return nil }
        location = read
      }
      self.sort.append(Sort(key, isAscending: isAscending, relativeLocation: location))
    }
  }
}

extension CloudQuery.Filter {
  fileprivate init?(_ json: JSON) {
    guard let comparator = json["comparator"]?.string.flatMap(CloudQuery.Comparator.init(rawValue:)),
      let isTyped = json["typed"]?.bool, let field = json["field"],
      let type = field["type"]?.string.flatMap(FieldType.init(rawValue:)),
      let value = field["value"].flatMap({ FieldValue($0, as: type) })
    else { return nil }
    self.init(comparator, CloudQuery.Key(json), value, isTyped: isTyped, distance: json["distance"]?.number)
  }
}

extension CloudQuery.Key {
  /// The key of a filter or an order; nil if it has none.
  fileprivate init?(_ json: JSON) {
    if let name = json["fieldName"]?.string {
      self = .field(Name(name))
    } else if let field = json["systemFieldName"]?.string.flatMap(CloudQuery.SystemField.init(rawValue:)) {
      self = .system(field)
    } else {
      return nil
    }
  }
}

extension [UInt8] {
  fileprivate mutating func append(_ key: CloudQuery.Key) {
    switch key {
    case .field(let name):
      append(literal: "\"fieldName\":")
      appendJSONString(name.text)
      append(UInt8(ascii: ","))
    case .system(let field): append(literal: "\"systemFieldName\":\"\(field.rawValue)\",")
    }
  }
}
