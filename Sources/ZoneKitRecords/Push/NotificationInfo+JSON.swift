/// The members of notification info that the native framework and its script library add to those of the web services
/// (CloudKit Web Services, b.8), as JSON.
extension NotificationInfo {
  /// The members that are set; empty if none is.
  package var addedMembers: [JSON.Member] {
    func list(_ texts: [String]) -> JSON? { texts.isEmpty ? nil : .array(texts.map { .string($0) }) }
    return [JSON.Member](known: [
      "title": title.map { .string($0) }, "subtitle": subtitle.map { .string($0) },
      "titleLocalizationKey": titleLocalizationKey.map { .string($0) },
      "titleLocalizationArgs": list(titleLocalizationArgs),
      "subtitleLocalizationKey": subtitleLocalizationKey.map { .string($0) },
      "subtitleLocalizationArgs": list(subtitleLocalizationArgs), "additionalFields": list(additionalFields),
    ])
  }

  /// Reads what `addedMembers` has written.
  package mutating func readAdded(_ json: JSON) {
    func list(_ key: String) -> [String] { json[key]?.array?.compactMap(\.string) ?? [] }
    title = json["title"]?.string
    subtitle = json["subtitle"]?.string
    titleLocalizationKey = json["titleLocalizationKey"]?.string
    titleLocalizationArgs = list("titleLocalizationArgs")
    subtitleLocalizationKey = json["subtitleLocalizationKey"]?.string
    subtitleLocalizationArgs = list("subtitleLocalizationArgs")
    additionalFields = list("additionalFields")
  }
}
