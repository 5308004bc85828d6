import ZoneKitRecords

/// A file of an app's own format: a JSON object that names the app and the version of the format.
package enum AppFile {
  /// Parses a file of that app and version. Throws if the whole file is refused.
  package static func json(parsing bytes: [UInt8], app: String, version: Int64) throws(AppRefusal) -> JSON {
    let json: JSON
    do throws(JSONError) { json = try JSON(exactly: bytes) } catch { throw AppRefusal("the file is no JSON: \(error)") }
    guard json.object != nil else { throw AppRefusal("expected an object, found \(json.kind)") }
    guard json["app"]?.string == app else {
      let found = json["app"].map { "\($0.excerpt); the file belongs to another app" } ?? "nothing"
      throw AppRefusal("/app: expected \"\(app)\", found \(found)")
    }
    guard json["version"]?.integer == version else {
      throw AppRefusal("/version: expected \(version), found \(json["version"]?.excerpt ?? "nothing")")
    }
    return json
  }
}
